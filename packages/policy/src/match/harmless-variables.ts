import type { SimpleCommand } from "../shell/shell-command.ts";

/** Variables that change how a program looks or how much it says, and nothing of what it runs. */
const HARMLESS =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|TERM|COLUMNS|LINES|LANG|LANGUAGE|LC_\w+|TZ|DEBUG|VERBOSE|QUIET|RUST_BACKTRACE|RUST_LOG|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONHASHSEED|PYTHONWARNINGS|GOFLAGS_NONE|VITEST|JEST_WORKER_ID|TEST|TESTS|HUSKY|NPM_CONFIG_FUND|NPM_CONFIG_AUDIT|DJANGO_SETTINGS_MODULE|RAILS_ENV|RACK_ENV|APP_ENV|MIX_ENV|ENVIRONMENT|LOG_LEVEL|UPDATE_SNAPSHOTS)$/;
/** Of the shell alone, by habit: what programs look at is written in capitals. */
const OWN = /^(?!npm_config_|.*_proxy$|cdpath$|prompt|path$|manpath$|fpath$)[a-z][a-z0-9_]*$/;

/** Whether a command sets nothing that another program would act on. */
export function setsNothingElse({ assignments, words }: SimpleCommand): boolean {
  return assignments.every(({ name }) => HARMLESS.test(name) || (words.length === 0 && OWN.test(name)));
}
