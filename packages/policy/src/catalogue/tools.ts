/** Effects of tools other than a shell, by the tool's full lowercase name or by a word in it. */
export interface ToolRow {
  readonly effect: string;
  readonly names?: RegExp;
  /** One of the words that a name is made of: `mcp__db__dropTable` has drop and table. */
  readonly words?: ReadonlySet<string>;
  readonly example: string;
  readonly counterexample: string;
}

export const TOOL_ROWS: readonly ToolRow[] = [
  {
    effect: "tool-stops",
    names: /^(?:kill|stop|terminate)_?(?:shell|bash|task|process|terminal|command)s?$|^taskstop$/,
    example: "KillShell",
    counterexample: "BashOutput",
  },
  {
    effect: "schedule",
    names: /^(?:cron|schedule|remotetrigger|create_?(?:cron|schedule|automation|trigger|routine))/,
    example: "CronCreate",
    counterexample: "CronologyRead",
  },
  {
    effect: "tool-runs",
    names: /^(?:skill|use_?skill|activate_?skill|slash_?command|run_?(?:workflow|skill|prompt|task))$/,
    example: "Skill",
    counterexample: "SkillList",
  },
  {
    effect: "secret-read",
    names:
      /^(?:get|read|fetch|show|reveal|export|retrieve|access)_?\w*?(?:secret|password|credential|private_?key|api_?key|access_?token)s?(?:_?(?:value|version)s?)?$/,
    example: "get_secret",
    counterexample: "list_secrets",
  },
  {
    effect: "agent-settings",
    names:
      /^(?:config|(?:update|set|write|edit|change|reset)_?(?:config\w*|settings?\w*|preferences?|permissions?)|install_?(?:plugin|extension|mcp\w*)|add_?mcp\w*)$/,
    example: "update_config",
    counterexample: "get_config",
  },
  {
    effect: "tool-changes",
    words: new Set(
      "delete remove drop destroy purge wipe erase terminate restart undefine deregister uninstall unpublish publish push upload deploy undeploy rollback revoke truncate flush reset prune shutdown decommission transfer refund charge pay payment payout subscription withdraw promote deprecate merge send post tweet email mail message sms invite grant approve execute revert restore scale apply evict kill archive ban block rotate invalidate purchase buy order book checkout transaction sign release install force overwrite replace rename fork share flushall flushdb".split(
        " ",
      ),
    ),
    example: "mcp__github__delete_repository",
    counterexample: "mcp__github__list_issues",
  },
];

/** Servers that keep secrets: whatever they give out is one. */
export const SECRET_SERVER =
  /^(?:1password|onepassword|op|bitwarden|lastpass|dashlane|keepass\w*|keychain|keyring|vault|secrets?(?:manager)?|doppler|infisical|pass)$/;

/** A name that begins with one of these only looks. */
export const LOOKING_WORDS: ReadonlySet<string> = new Set(
  "get list search read fetch find query describe show view lookup check count status info help docs doc resolve browse navigate snapshot screenshot take preview validate inspect explain analyze compare diff lint format summarize translate think sequentialthinking sequential suggest detect estimate calculate convert parse extract retrieve load open scroll hover wait echo ping version whoami todo plan ask web glob grep ls cat head tail tree stat test select is has can logs log monitor watch tail history blame memory recall notebook".split(
    " ",
  ),
);

/** Tools of agents that change nothing but what they name, and nothing beside files. */
export const HARMLESS_TOOLS =
  /^(?:read|view|glob|grep|ls|search|find|edit|write|multi_?edit|notebook_?edit|notebook_?read|create_?file|write_?file|str_replace\w*|insert|apply_?patch|todo_?(?:read|write)|task(?:list|get|create|update|output)?|agent|bash_?output|tool_?search|web_?search|web_?fetch|exit_?plan_?mode|enter_?plan_?mode|ask_?user\w*|update_?plan|list_?(?:dir\w*|files|mcp\w*)|read_?\w+|grep_?\w*|file_?search|codebase_?search|semantic_?search|view_?\w+|get_?\w+|lsp|think|finder|oracle|spawn_?agent|browser_(?:navigate|click|type|snapshot|take_screenshot|hover|press_key|wait_for|console_messages|network_requests|resize|tabs|close|select_option|fill_form|go_back|drag)|yield|wait)$/;

/** Members of arguments, by what they hold. */
export const MEMBERS = {
  command: /^(?:command|command_?line|cmd|cmdline|commands|run|argv|shell_?command|cli_?command|cli|bash|exec|shell|invocation)$/i,
  program: /^(?:program|executable|binary|exe|file_?name_?to_?run|argv0|process|path_to_executable|file)$/i,
  arguments: /^(?:args|arguments|argv|params|parameters|arg_?list)$/i,
  /** What is to be done, where that is an argument. */
  action: /^(?:action|operation|op|verb|task|target|subcommand|event|procedure|tool|playbook|workflow|job)$/i,
  typed: /^(?:input|chars|keys|text|data|stdin|line|keystrokes|characters|value)$/i,
  code: /^(?:\w*_?code|script|source|source_?code|expression|function|javascript|js|python|snippet|cell|body_?script|eval|program_?text|pageFunction|cell_?source)$/i,
  query: /^(?:sql|query|statement|statements|queries|q|sql_?query|command_?text|script)$/i,
  url: /^(?:\w*_?ur[li]s?|href|endpoint|link|address|target_?url|website|page)$/i,
  path: /^(?:\w*_?(?:path|paths|file|files|filename|dir|directory|folder|destination|notebook|uri)|target|source|destination|dest|from|to|src|dst|location|root|output|DirectoryPath|TargetFile|AbsolutePath|filePath|notebookPath|targetFile|oldPath|newPath)$/i,
} as const;
