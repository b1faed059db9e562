import { namesLike } from "./names.ts";

/** Patterns that rows name with `~`. They are searched for in the arguments, joined with single spaces. */
export const PATTERNS: Readonly<Record<string, RegExp>> = {
  "any-operand": /(?:^|\s)[^-\s]/,
  "several-operands": /(?:^|\s)[^-\s]\S*\s+(?:-\S+\s+)*[^-\s]|\*/,
  wildcard: /\*|(?:^|\s)\S*\/\.[^/\s.]/,
  computed: /\$\(|`|\$[{\w]/,
  "every-line": /(?:^|\s)(?:(?:1,\s*\$|0,\s*\$|\/\.?\*?\/)\s*)?d(?:\s|$)/,
  prints: /\bprint|\bsay\b|\bputs\b|(?:^|\s)-\w*p|\bp\b|\dp\b/,
  interactive: /(?:^|\s)(?:-[bBdEIOqsSuvx]*i[a-z]?|--interactive)(?:\s|$)/,
  packs: /^-{0,2}(?:[a-z]*[ct]|create|list|append|update|diff)/,
  nothing: /(?:^|[\s=])\/dev\/null(?:\s|$)/,
  "plain-mode": /(?:^|\s)(?:u\+\w+|\+[xX]|a\+[rxX]+|go?-[rwx]+|0?(?:755|644|750|700|600))(?:\s|$)/,
  endless: /(?:^|[\s=])\/dev\/(?:zero|u?random|full)(?:\s|$)/,
  belongings: /work-?trees?|project|repo|backup|checkout|clone|thesis|photos|src\b/i,
  "foreign-remote": /(?:^|\s)push\s+(?:-\S+\s+)*(?!(?:[\w-]*(?:origin|upstream|fork)|mine|github|gitlab|HEAD)(?:\s|$))[^-\s]/i,
  "named-package": /(?:^|\s)(?!(?:install|get|add|upgrade|update|remote)(?:\s|$)|\.{0,2}\/|\.(?:\s|$))[\w@][\w@:/.-]*/,
  "remote-module": /(?:^|\s)(?:https?:|npm:|jsr:|github:)(?!\/\/(?:localhost|127\.))/,
  url: /(?:^|[\s=])(?:git\+|oci:|ssh:|github:|gh:)|(?:https?|ftp):\/\/(?!(?:localhost|127\.))/,
  "local-file":
    /(?:^|\s)(?:-T|--upload-file|--post-file|--body-file)|(?:^|[\s=])@[^@\s-]|(?:^|\s)(?:-[dF]|--(?:data|form)[\w-]*(?![\w-]))[\s=]*(?:[^\s@=][^\s@]*)?@[^-\s]/,
  "test-database": /(?:^|\s)(?:\w+[_-])?tests?(?:[_-]\w+)?(?:\s|$)/,
  upload: /(?:^|\s)[\w.-]*@[\w./~-]+(?:\s|$)/,
  stdin: /(?:^|[\s=])(?:@-|-)(?:\s|$)|(?:^|\s)(?:-T|--upload-file|--post-file|-d|--data\S*|-F)(?:\s|$)|(?:^|\s)(?:post|put|patch)(?:\s|$)/i,
  "sent-file": /(?:\$\(|`)\s*(?:cat|head|tail|base64|xxd|od|gzip|tar|openssl|sed|awk|strings|printenv|env|<)[\s<]/,
  "to-remote": /\s(?:s3|gs|az|https?|b2|oss|[\w-]+):\S*(?:\s+-\S+)*\s*$/,
  "one-word": /^\S+(?:\s+(?!-)\S+)?$/,
  "cloud-change":
    /(?:^|\s)(?:create|delete|remove|update|set|add|deploy|patch|import|export|apply|submit|publish|start|stop|restart|reset|resize|scale|enable|disable|promote|rollback|destroy|attach|detach|cancel|execute|call|invoke|grant|revoke|rotate|move|mv|rm|cp|rsync|upload|up|down|restore|clone|edit|replace|put|purge|suspend|resume|upgrade|migrate|failover|rename|unset|open|allocate|release|associate|disassociate|register|deregister|send|post|redeploy|unlink)(?:[:-]\S*)?(?:\s|$)/i,
  "every-process": /(?:^|\s)(?:-\w+\s+|-s\s+\w+\s+|--\s+)?-1(?:\s|$)(?!.{0,2000}\d{2})|(?:^|\s)[01](?:\s|$)/,
  "unfiltered-processes": /(?:\$\(|`)\s*(?:ps\b(?!.{0,2000}grep)(?!.{0,2000}awk\s+'[^']{0,2000}\/)|pgrep\s+-[uUGg]\s+\S+\s*[)`])/,
  "system-process": /\bpidof\s+(?:systemd|init|launchd|dbus-daemon|Xorg|gnome-shell|sshd|dockerd)\b|\$\{?PPID/,
  protection:
    /(?:^|\s)(?:auditd|apparmor|selinux|firewalld|fail2ban|clamav\S*|falcon-sensor|crowdstrike|osqueryd|sentinel\S*|wazuh\S*)(?:\.service)?(?:\s|$)/,
  "agent-home":
    /(?:^|\s)(?!HOME=)(?:XDG_CONFIG_HOME|CLAUDE_\w*|CODEX_HOME|GEMINI_\w*|COPILOT_HOME|OPENCODE_\w*|PI_CODING_AGENT_DIR|HERMES_HOME|QWEN_\w*|CLINE_\w*|GOOSE_MODE|CRUSH_\w*|KIRO_HOME|FACTORY_\w*)=/,
  "earshot-variable": /(?:^|\s)EARSHOT_\w*=/,
  "known-script":
    /^(?!\/(?:tmp|var\/tmp|dev)\/)(?:\S*\/)?(?:activate(?:\.\w+)?|nvm\.sh|asdf\.sh|sdkman-init\.sh|\.env(?:\.\w+)*|\.envrc|env|\.(?:bash|zsh)rc|\.(?:bash_|z)?profile|\.bash_aliases|\.zshenv|conda\.sh|mamba\.sh|rvm|emsdk_env\.sh|setup\.(?:bash|zsh|sh)|local_setup\.bash|chruby\.sh|nix(?:-daemon)?\.sh|bash_completion|git-(?:completion|prompt)\.\w+|os-release|lsb-release|virtualenvwrapper\.sh|vcvars\w*|setvars\.sh|oe-init-build-env|export\.sh|\.dev\.vars)(?:\s|$)/,
};

/** Programs that show, edit or connect and are commonly set in `EDITOR`, `PAGER` or `GIT_SSH_COMMAND`. */
export const PLAIN_PROGRAM =
  /^(?:cat|less(?:\s-\w+)*|more|true|:|vim?|nvim|nano|emacs|code(?:\s--wait|\s-w)?|cursor\s--wait|subl\s-w|ssh(?:\s-(?:[io]\s*\S+|v|p\s*\d+|4|6))*|sed\s-i\S*\s.*|echo|delta|bat|open|xdg-open|firefox|none|)$/;

/** Options of an interpreter that load code. */
export const LOADING_OPTION =
  /-javaagent|-agent(?:lib|path)|-Xbootclasspath|--?(?:require|import|loader|experimental-loader|r)\b|(?:^|\s)-r\s|-p\s|--eval|\$\(shell|-toolexec|-exec\b|-fplugin|wrapper|link-arg|=\/tmp|\/tmp\//;

/** Well-known package registries and proxies. */
export const USUAL_SERVER =
  /^(?:|off|direct|(?=localhost|.*(?::\/\/localhost|127\.0\.0\.1|proxy\.golang\.org)).*|https:\/\/(?:registry\.npmjs\.org|pypi\.org)\/.*)$/;

/** API servers to which tokens are commonly sent. */
export const USUAL_INTERFACE =
  /^(?:api|apis|rest|gateway|registry|hooks)\.|[.-]api\.|(?:^|\.)(?:github|gitlab|bitbucket|openai|anthropic|googleapis|slack|stripe|cloudflare|digitalocean|heroku|netlify|vercel|npmjs|sentry|atlassian|linear|notion|circleci|travis-ci|docker|huggingface|azure|amazonaws|twilio|sendgrid|datadoghq|pypi|mistral)\.(?:com|org|io|co|net|app|ai|dev)$/i;

/** Programs with an option that names another program, and the programs that are commonly named there. */
export const NAMES_HELPER = namesLike("programs that name a helper");
export const HELPER = namesLike("helpers");

/** Folders of a project that contain its own programs. */
export const OWN_PROGRAM_FOLDER =
  /(?:^|\/)(?:node_modules\/\.bin|(?:[\w.-]+\/)?s?bin|\.bin|scripts|tools|(?:target|build|out)(?:\/(?:debug|release|bin))?|dist)\/?$/i;

/** Folders in which programs are installed. */
export const PROGRAM_FOLDER = /^\/(?:usr|bin|sbin|opt|snap|nix|Applications|Library|System|home\/linuxbrew)(?:\/|$)/;

/** File names and words that a search for secrets would use. */
export const SOUGHT_SECRET =
  /^\*?(?:\.env\S*|id_(?:rsa|ed25519|ecdsa|\*)|server\.(?:pem|key)|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\*?\.?(?:pem|key|env|p12|kdbx|ppk)|terraform\.tfstate|AKIA.*|(?=.*(?:secret|token|passw|api_?key|private.key|credential|BEGIN)).*)$/i;

/** Use of the value of a variable whose name suggests a secret. */
export const SECRET_VARIABLE = /\$\{?(?=\w*(?:SECRET|TOKEN|PASSW(?:OR)?D|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL))\w+(?!\w|:\+)/i;

/** Programs that show or send file contents and whose arguments are not parsed here. */
export const SHOWING_PROGRAM = namesLike("showing programs");

/** Programs whose output is meant to be evaluated: fixed settings for the shell. */
export const KNOWN_OUTPUT =
  /^(?:\$\(|`)\s*(?:(?:~|\/[\w./-]*)\/)?(?:direnv|ssh-agent|brew|pyenv|rbenv|nodenv|jenv|goenv|fnm|mise|rtx|asdf|zoxide|starship|thefuck|dircolors|keychain|conda|micromamba|opam|luarocks|dbus-launch|gpg-agent|fzf|atuin|rustup|pipenv|poetry|register-python-argcomplete|minikube|docker-machine)(?:\s+(?:-[\w-]+(?:=\w+)?|export|hook|init|env|activate|shellenv|completion|shell\.\w+|bash|zsh|sh|fish|-|docker-env|path))*\s*(?:\)|`)$/;

export const TMUX_LOOKS =
  /^(?:ls|list-.*|has(?:-session)?|attach(?:-session)?|a|capture-pane|capturep|display(?:-message)?|show.*|info|kill-(?:session|window|pane)|-V)$/;

/** Arguments that `git checkout` takes as files; any other may be a branch. */
export const CHECKED_OUT_FILE =
  /^(?:\.|:\/)$|^\.{1,2}\/|^:|\*|\/$|\.(?:[jt]sx?|json|py|md|rs|go|java|rb|php|css|html|ya?ml|toml|c|h|cpp|sh|txt|lock)$/;

/** Options of package managers, container engines and ssh that take the next word as their value. */
export const VALUED = {
  packages:
    "-r --requirement -c --constraint -t --target --prefix --registry --index-url -i --extra-index-url -f --find-links -w --workspace --filter -C --dir --cwd --python --version --features --git --branch --tag --path --manifest-path -p --package --group --extra --optional --channel -n --name --platform --otp --loglevel --cache --with --from --call",
  hosts: "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -P -Q -R -S -W -w -T --rsh --exclude --include --bwlimit --port",
  network:
    "-o --output -H --header -d --data --data-raw --data-binary --data-urlencode --json -T -F --form -u --user -A -e -b -w -X --request -m --max-time",
} as const;

/** Words of package managers before the packages. */
export const PACKAGE_VERB = namesLike("verbs of package managers");

/** Options of `docker run` that take no value. */
export const RUN_FLAG =
  /=|^-[itdPqT]+$|^--(?:rm|interactive|tty|detach|privileged|init|read-only|quiet|publish-all|no-healthcheck|sig-proxy|replace)$/;

/** Members and options that contain text for people. */
export const TEXT_OPTION =
  /^(?:--?(?:m|message|title|body|description|t|b|p|prompt|comment|name|subject|query|q|text|content|summary))(?:=|$)/;

/** An option of an unknown program that deletes. */
export const DELETING_OPTION =
  /^(?:--(?:delete|destroy|purge|wipe|erase|drop|revoke)(?:-?all|-[a-z]+)?|--(?:doit|down|force|no-?dry-?run|yes-i-(?:really-)?\w+)|-rmr?)$/i;

/** An unknown program whose name says that it deletes: `pg_dropcluster`. */
export const DELETING_NAME = /(?:^|[-_.])(?:delete|destroy|purge|wipe|erase|drop|reset)/i;

/** A destructive query in the arguments of an unknown program. */
export const DESTROYING_QUERY =
  /\b(?:drop\s+(?:table|database|schema|keyspace|collection|index|user|view)|truncate\s+table|delete\s+from|detach\s+delete|alter\s+table\s+\S+\s+drop)\b/i;

/**
 * Patterns for a text as a whole. `needs`: substrings, at least one of which must occur for the pattern to match. Quotes and brackets are
 * left out.
 */
export const WHOLE_TEXTS: readonly {
  readonly effect: string;
  readonly needs: readonly string[];
  readonly pattern: RegExp;
  readonly example: string;
  readonly counterexample: string;
}[] = [
  {
    effect: "fork-bomb",
    needs: ["()", "function "],
    pattern:
      /(?:^|[\s;])(?:function\s+)?([^\s(){}|&;]{1,40})\s{0,9}(?:\(\))?\s{0,9}\{(?:[^}]{0,80}[;|&])?\s{0,9}\1(?=[\s|&;}])[^}]{0,80}[|&][^}]{0,80}\}/,
    example: ":(){ :|:& };:",
    counterexample: "f() { npm run build & }; f",
  },
  {
    effect: "fork-bomb",
    needs: ["while"],
    pattern: /\bwhile\s+(?::|true|1|\[\s*1\s*\])\s*(?:;\s*)?do\s[^;]{0,80}&(?!&)[^;]{0,40};?\s*done/,
    example: "while :; do bash & done",
    counterexample: "while true; do date; sleep 1; done",
  },
  {
    effect: "remote-shell",
    needs: ["/dev/tcp/", "/dev/udp/"],
    pattern: /\/dev\/(?:tcp|udp)\//,
    example: "exec 3<>/dev/tcp/x.example/80",
    counterexample: "ls /dev",
  },
  {
    effect: "secret-read",
    needs: ["env", "export", "set", "history", "inspect"],
    pattern:
      /\b(?:env|printenv|export\s+-p|set|history|inspect\s[^|;\n]{1,80})\s*\|\s*\w*(?:grep|rg|awk|sed)\b[^|;\n]{0,80}(?:token|secret|passw|key\b|credential|\benv\b)/i,
    example: "env | grep -i token",
    counterexample: "env | grep NODE",
  },
  {
    effect: "earshot-stops",
    needs: ["kill"],
    pattern: /\b(?:p?kill|killall|xkill|taskkill)\b[^\n]{0,200}earshot|earshot[^\n]{0,200}\b(?:p?kill|killall)\b/i,
    example: "ps aux | grep earshot | xargs kill",
    counterexample: "ps aux | grep vite | xargs kill",
  },
];

/** Git settings that only change appearance or are plain data. Any other setting may name a program that git then runs. */
export const HARMLESS_SETTING =
  /^(?:user\.|color\.|advice\.|column\.|log\.|status\.|init\.defaultbranch|commit\.(?:gpgsign|verbose)|tag\.gpgsign|core\.(?:autocrlf|quotepath|eol|safecrlf|filemode|ignorecase|symlinks|abbrev|bare|longpaths)|core\.pager=(?:cat|less)?$|pull\.|push\.(?:default|autosetupremote|followtags)|rebase\.(?:auto\w*|updaterefs)|merge\.(?:conflictstyle|ff)|diff\.(?:renames|algorithm|context|color\w*|mnemonicprefix)|safe\.directory|http\.(?:version|postbuffer)|protocol\.version|gc\.auto|fetch\.(?:prune\w*|all|writecommitgraph)|submodule\.recurse|grep\.|rerere\.|branch\.(?:sort|autosetup\w*|[\w/-]+\.(?:description|merge|remote|rebase))|tag\.sort|blame\.|help\.autocorrect|feature\.|index\.|pack\.|format\.|stash\.|worktree\.)/i;
