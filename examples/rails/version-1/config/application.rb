require 'rails'
require 'active_record/railtie'
require 'action_controller/railtie'

module Blog
  class Application < Rails::Application
    config.load_defaults 6.1
    config.api_only = true
    config.eager_load = true
    config.logger = ActiveSupport::Logger.new($stdout)
    config.log_level = :warn
    # The image is the same in every pod, and nobody may write to it.
    config.active_record.dump_schema_after_migration = false
    # It has neither sessions nor cookies that would need one to be kept.
    config.secret_key_base = SecureRandom.hex(64)
  end
end
