class CreateArticles < ActiveRecord::Migration[6.1]
  def change
    create_table :articles do |table|
      table.string :title, null: false
    end
  end
end
