import type { Rows } from "./row.ts";

/** Databases and queues. What SQL does is read from its text. */
export const DATABASES: Rows = {
  "sql-destroys": [
    // Typed into a client that runs already.
    ["drop table|database|schema|user|role|view|index|collection|keyspace", "DROP TABLE users;", "drop_caches table"],
    ["delete from", "delete from users;", "delete_from users"],
    ["truncate table", "truncate table users;", "truncate -s 0 a.log"],
    ["alter table|role|user|database", "alter table users drop column a;", "alterx table users"],
  ],
  "database-drop": [
    ["dropdb|dropuser|dropschema !~test-database", "dropdb production", "dropdb shop_test"],
    ["mysqladmin drop|flush-*|shutdown|password|kill", "mysqladmin drop shop", "mysqladmin status"],
    [
      "redis-cli|valkey-cli|keydb-cli|redli flushall|flushdb|shutdown|del|unlink|config|script|eval|debug|migrate|failover|replicaof|slaveof|rename|restore|module|acl|cluster",
      "redis-cli FLUSHALL",
      "redis-cli GET a",
    ],
    ["redis-cli|valkey-cli [--eval --pipe --cluster]", "redis-cli --pipe < x", "redis-cli --scan"],
    ["mongorestore|pg_restore [--drop --clean -c]", "pg_restore --clean -d shop x", "pg_restore -l x"],
    [
      "rails|rake ** db:drop*|db:reset*|db:purge*|db:schema:load*|db:setup*|db:truncate*|db:migrate:reset|db:seed:replant|db:environment:set",
      "rails db:drop",
      "rails db:migrate",
    ],
    ["prisma migrate reset", "prisma migrate reset", "prisma migrate dev"],
    ["prisma db push|execute [--force-reset --accept-data-loss --file --stdin]", "prisma db push --force-reset", "prisma db pull"],
    [
      "php|artisan ** migrate:fresh|migrate:reset|migrate:refresh|db:wipe|queue:flush|cache:clear",
      "php artisan migrate:fresh",
      "php artisan migrate",
    ],
    [
      "python|python3|manage.py|django-admin|django ** flush|reset_db|sqlflush|delete_squashed_migrations",
      "python manage.py flush",
      "python manage.py migrate",
    ],
    ["supabase db reset|push|remote", "supabase db reset", "supabase db diff"],
    [
      "sequelize|sequelize-cli|typeorm|drizzle-kit|mikro-orm|knex ** db:drop*|db:migrate:undo*|schema:drop|drop|push|schema:fresh|migrate:rollback|migrate:down",
      "typeorm schema:drop",
      "typeorm schema:log",
    ],
    ["manage.py migrate * zero", "python manage.py migrate shop zero", "python manage.py migrate shop"],
    ["dotnet ef database drop", "dotnet ef database drop -f", "dotnet ef database update"],
    ["alembic|aerich downgrade", "alembic downgrade base", "alembic upgrade head"],
    ["flyway|liquibase clean|repair|undo|drop-all|rollback*|dropall", "flyway clean", "flyway info"],
    [
      "dbmate|goose|migrate|sql-migrate|sqlx|diesel|refinery ** drop|down|down-to|reset|revert|redo|force|-all",
      "migrate -path x drop",
      "migrate -path x up",
    ],
    ["flask db downgrade", "flask db downgrade", "flask db upgrade"],
    ["rails|rake db:rollback", "rails db:rollback", "rails db:migrate"],
    ["ecto|mix ** ecto.drop|ecto.reset|ecto.rollback", "mix ecto.drop", "mix ecto.migrate"],
    ["bq|bigquery rm|update|cp|mk|load", "bq rm -r d", "bq ls"],
    ["influx bucket|org|delete|user|auth delete", "influx bucket delete -n x", "influx bucket list"],
    ["wp|drush db|site|user|sql-drop reset|drop|empty|delete|clean", "wp db reset --yes", "wp db size"],
    ["mongodump|mongoimport|mongoexport [--drop]", "mongoimport --drop x.json", "mongoexport -c x"],
    [
      "rabbitmqctl|rabbitmqadmin delete*|purge*|reset|force_reset|stop*|clear*|forget*|set*|add*|declare|publish",
      "rabbitmqctl delete_vhost /",
      "rabbitmqctl status",
    ],
    [
      "kafka-topics|kafka-topics.sh|kafka-delete-records|kafka-configs|kafka-acls|kafka-consumer-groups|kcat|rpk [--delete --alter --reset-offsets --remove --add -P] ",
      "kafka-topics --delete --topic x",
      "kafka-topics --list",
    ],
    ["etcdctl|zkcli|zkcli.sh del|rm|put|deleteall|rmr|delete|set|create|user|role|auth|member", "etcdctl del --prefix /", "etcdctl get /"],
    ["pg_ctl stop|restart|kill|promote", "pg_ctl stop", "pg_ctl status"],
    [
      "cqlsh|nodetool|cassandra-cli ** drain|decommission|removenode|assassinate|cleanup|clearsnapshot",
      "nodetool decommission",
      "nodetool status",
    ],
  ],
};
