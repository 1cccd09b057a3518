class ArticlesController < ActionController::API
  def index
    render json: Article.order(:id)
  end

  def create
    render json: Article.create!(params.permit(:title)), status: :created
  end
end
