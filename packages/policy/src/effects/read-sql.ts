/**
 * The effect of a query. `harmless`: it only reads. `changes`: it changes rows that it names. `destroys`: it drops, empties or changes
 * whole tables, or the permissions to do so. `runs`: it runs something that is not in its text.
 */
export type QueryVerdict = "harmless" | "changes" | "destroys" | "runs";

const MAX_CHARACTERS = 40_000;

function worstOf(verdicts: readonly QueryVerdict[]): QueryVerdict {
  return (["runs", "destroys", "changes"] as const).find((verdict) => verdicts.includes(verdict)) ?? "harmless";
}

export function readSql(text: string): QueryVerdict {
  if (text.length > MAX_CHARACTERS) return "runs";
  const comment = /'(?:[^'\\]|''|\\.)*'|--[^\n]*|\/\*!?[\s\S]{0,1000}?\*\//g;
  const plain = text.replaceAll(comment, (part) => (part.startsWith("'") ? part : " "));
  const lines = plain.split("\n").map((line) => metaCommand(line.trim()));
  return worstOf([...lines, ...statementsIn(plain).map(readStatement)]);
}

const RUNNING_COMMAND =
  /^(?:\\!|\.(?:shell|system)|system\s|\\copy\b.*\bprogram\b|\\o\s*\||\\g\s*\||\\setenv|\\gexec|\\(?:i|ir|include)\b|source\s|\.(?:read|load|import|restore|open|excel|www)\b)|\\gexec/i;
const WRITING_COMMAND = /^\.(?:output|once|backup|save|clone|log|archive|recover|dump)\b.*\S\s+\S|^\\(?:o|w|copy|out)\b/i;

/** Commands of the client itself: `\!` in psql, `.shell` in sqlite3. */
function metaCommand(line: string): QueryVerdict {
  return RUNNING_COMMAND.test(line) ? "runs" : WRITING_COMMAND.test(line) ? "changes" : "harmless";
}

function statementsIn(text: string): readonly string[] {
  const ends = [...text.matchAll(/'(?:[^']|'')*'|\$(\w{0,63})\$[\s\S]{0,4000}?\$\1\$|;/g)]
    .filter(([part]) => part === ";")
    .map(({ index }) => index);
  const statements = [...ends, text.length].map((end, index) => text.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end).trim());
  return statements.filter((one) => one !== "" && !/^[\\.]/.test(one));
}

const LOOKS =
  /^(?:select|show|explain|describe|desc|with|values|table|pragma|help|use|begin|start\s+transaction|commit|end|rollback|set\s+(?:local|search_path|statement_timeout|names|time\s+zone)|list|status|analyze|from|summarize|print|go|declare|\(\s*select)\b/i;
const CHANGES =
  /^(?:insert|create\s+(?:unique\s+|temp(?:orary)?\s+)?(?:table|index|view|materialized\s+view|type|sequence|schema|database)|comment\s+on|refresh|prepare|listen|notify|savepoint|release|lock|alter\s+table|upsert|reindex|vacuum|optimize|check|checkpoint|set\s+@)/i;
/** Functions and clauses of a query that do more than read. */
const REACHES =
  /\b(?:into\s+(?:outfile|dumpfile)|load_file|pg_(?:read|ls|stat)_(?=\w*(?:file|dir))\w*|pg_(?:terminate|cancel)_backend|pg_reload_conf|pg_rotate_logfile|pg_switch_wal|pg_create_restore_point|lo_(?:import|export|unlink)|dblink\w*|xp_cmdshell|sp_\w+|openrowset|sys_exec|sys_eval|load_extension|readfile|writefile|edit|query_to_xml|setval|set_config|copy\s|utl_\w+|dbms_\w+|execute\s+immediate|sleep)\s*[( ]/i;

function readStatement(statement: string): QueryVerdict {
  const bare = statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (/^(?:do|execute|call|exec|eval|perform)\b/i.test(bare)) return "runs";
  if (/\b(?:to|from)\s+program\b/i.test(bare) || REACHES.test(`${bare} `)) return "destroys";
  const looks = LOOKS.test(bare);
  const [change] = /\b(?:delete\s+from|update)\b.*$/i.exec(bare) ?? [];
  if (change !== undefined && (looks ? /^(?:with|explain\s+analy)/i : /^(?:delete|update|with|explain|replace)/i).test(bare))
    return isNarrow(change) ? "changes" : "destroys";
  if (/^alter\s+table\b/i.test(bare)) return /\b(?:drop|rename|disable|owner|delete|update)\b/i.test(bare) ? "destroys" : "changes";
  if (/^select\b.*\binto\s+(?!@)\w|^pragma\b.*=/i.test(bare)) return "changes";
  return looks ? "harmless" : CHANGES.test(bare) ? "changes" : "destroys";
}

/** Whether a condition names the affected rows: a column is compared with a value, and nothing widens the condition. */
function isNarrow(statement: string): boolean {
  const [, where] = /\bwhere\b(.*)$/i.exec(statement) ?? [];
  if (where === undefined) return /\blimit\s+\d/i.test(statement);
  if (/\bor\b|\btrue\b|\bis\s+not\s+null\b|\blike\s+''|<>|!=|\bnot\b/i.test(where)) return false;
  const compared = /(?:^|[\s(])"?[a-z_][\w.]*"?\s*(?:=|in\s*\()\s*(?:'|\d|\$|:|\?|@|[a-z_]\w*\()/i.test(where);
  return compared && !/^\s*(?:\(\s*)?(\d+|'')\s*=\s*\1/.test(where);
}

const REDIS_LOOKS =
  /^(?:get|mget|keys|scan|hscan|sscan|zscan|info|ttl|pttl|type|exists|hget|hmget|hgetall|hkeys|hvals|hlen|lrange|llen|lindex|smembers|scard|sismember|zrange|zscore|zcard|zrank|zrevrange|strlen|getrange|bitcount|dbsize|time|memory|xlen|xrange|xinfo|ping|echo|randomkey|object|pubsub|client list|command|lastsave|slowlog|latency|role|cluster (?:info|nodes)|config get|json\.get|ft\.(?:search|info|_list)|dump)\b/i;
const REDIS_DESTROYS =
  /^(?:flushall|flushdb|shutdown|del|unlink|config\s+(?:set|rewrite|resetstat)|script|eval\w*|function|fcall|debug|migrate|failover|replicaof|slaveof|rename\w*|restore|module|acl|cluster|client\s+kill|swapdb|monitor|save|bgsave|bgrewriteaof|json\.del|ft\.drop\w*)\b/i;

export function readRedis(text: string): QueryVerdict {
  const lines = text.trim().split("\n");
  // A command given as operands has one word on each line.
  const isOne = lines.length > 1 && !lines.some((line) => line.trim().includes(" "));
  const verdictOf = (command: string) => (REDIS_DESTROYS.test(command) ? "destroys" : REDIS_LOOKS.test(command) ? "harmless" : "changes");
  return worstOf((isOne ? [lines.join(" ")] : lines).map((command) => verdictOf(command.trim())));
}
