class HealthController < ActionController::API
  # Ready is what can read its table.
  def show
    Article.order(:id).first
    head :ok
  end
end
