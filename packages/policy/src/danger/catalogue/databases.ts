import type { Danger } from "../danger.ts";

export const DATABASE_DANGERS: readonly Danger[] = [
  {
    id: "sql-destroys",
    sentence: "Drops, empties or changes whole tables.",
    example: 'psql -c "DROP TABLE users"',
    harmless: 'psql -c "SELECT 1"',
    risk: "high",
    reversible: false,
    forms: [
      {
        programs: ["psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb", "clickhouse", "clickhouse-client", "bq"],
        code: /\b(?:drop\s+(?:table|database|schema|view|index|column|user|role|function|trigger|type|extension|owned|keyspace)|truncate\b|alter\s+table\s+[^;]*\bdrop\b|delete\s+from\s+(?![^;]*\bwhere\b)|update\s+\S+\s+set\s+(?![^;]*\bwhere\b))/i,
      },
    ],
  },
  {
    id: "database-drop",
    sentence: "Drops or empties a whole database.",
    example: "dropdb production",
    risk: "high",
    reversible: false,
    forms: [
      { programs: ["dropdb", "dropuser"] },
      { programs: ["mysqladmin"], words: [["drop"]] },
      { programs: ["redis-cli", "valkey-cli"], code: /\b(?:flushall|flushdb|shutdown|config\s+set|del)\b/i },
      { programs: ["mongosh", "mongo"], code: /\b(?:dropDatabase|drop|deleteMany|remove)\s*\(/ },
      { programs: ["mongorestore", "pg_restore"], options: ["--drop", "--clean", "-c"] },
      { programs: ["rails", "rake"], text: /(?:^| )db:(?:drop|reset|purge|schema:load|setup|truncate_all)/ },
      { programs: ["prisma"], words: [["migrate"], ["reset"]] },
      { programs: ["prisma"], words: [["db"], ["push"]], options: ["--force-reset", "--accept-data-loss"] },
      { programs: ["php"], text: /artisan (?:migrate:(?:fresh|reset|refresh)|db:wipe)/ },
      { programs: ["python", "python3"], text: /manage\.py (?:flush|reset_db|sqlflush)/ },
      { programs: ["supabase"], words: [["db"], ["reset"]] },
      { programs: ["sequelize", "sequelize-cli"], text: /(?:^| )db:(?:drop|migrate:undo:all)/ },
      { programs: ["typeorm"], words: [["schema:drop"]] },
      { programs: ["alembic"], words: [["downgrade"], ["base"]] },
      { programs: ["flyway"], words: [["clean"]] },
      { programs: ["bq"], words: [["rm"]] },
      { programs: ["influx"], words: [["bucket", "org"], ["delete"]] },
    ],
  },
];
