Rails.application.routes.draw do
  get '/up', to: 'health#show'
  resources :articles, only: %i[index create]
end
