# `rake db:revert` takes back what a deployment has migrated, for the hook that runs when it has failed.
# `db:rollback` would take back the latest migration, whoever brought it, and one more with each try.
module BroughtMigrations
  TABLE = :brought_migrations

  module_function

  def deployment
    ENV['OPENSHIFT_DEPLOYMENT_NAME'] || abort('OPENSHIFT_DEPLOYMENT_NAME is missing: the deployment to revert')
  end

  # Written down before they are run, so that none is forgotten however that ends.
  def note
    ensure_table
    (known - applied).each do |version|
      run("INSERT INTO #{TABLE} VALUES (?, ?) ON CONFLICT (version) DO UPDATE SET deployment = EXCLUDED.deployment",
          version, deployment)
    end
  end

  # The latest first.
  def of_deployment
    ensure_table
    (ask("SELECT version FROM #{TABLE} WHERE deployment = ?", deployment) & applied).sort.reverse
  end

  def known
    Dir[Rails.root.join('db/migrate/*.rb')].map { |path| File.basename(path)[/\A\d+/] }
  end

  def applied
    connection.table_exists?(:schema_migrations) ? ask('SELECT version FROM schema_migrations') : []
  end

  def ensure_table
    run("CREATE TABLE IF NOT EXISTS #{TABLE} (version text PRIMARY KEY, deployment text NOT NULL)")
  end

  def run(*statement)
    connection.execute(ActiveRecord::Base.sanitize_sql(statement))
  end

  def ask(*statement)
    connection.select_values(ActiveRecord::Base.sanitize_sql(statement))
  end

  def connection
    ActiveRecord::Base.connection
  end
end

namespace :db do
  task note_migrations: :environment do
    BroughtMigrations.note if ENV.key?('OPENSHIFT_DEPLOYMENT_NAME')
  end

  desc 'Take back the migrations that this deployment has brought'
  task revert: :environment do
    versions = BroughtMigrations.of_deployment
    puts "#{BroughtMigrations.deployment} has brought #{versions.empty? ? 'no migration' : versions.join(', ')}"
    versions.each do |version|
      ENV['VERSION'] = version
      Rake::Task['db:migrate:down'].execute
    end
  end
end

Rake::Task['db:migrate'].enhance(['db:note_migrations'])
