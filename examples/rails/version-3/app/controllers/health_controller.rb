class HealthController < ActionController::API
  # A mistake: the column is called rating. So this version migrates, starts, and never gets ready.
  def show
    Article.order(:rank).first
    head :ok
  end
end
