/** Variables whose value a later program runs as a command line. */
export const TEXT_VARIABLES: ReadonlySet<string> = new Set(
  "GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS EDITOR VISUAL PAGER MANPAGER BROWSER PROMPT_COMMAND RSYNC_RSH CVS_RSH LESSOPEN LESSCLOSE".split(
    " ",
  ),
);

/**
 * Variables that have a program load other code, find other programs or talk to other servers. `folders`: only with folders
 * outside of the workspace and of where programs are installed. `options`: only with options that load code. `program`: unless it is one
 * that shows, edits or connects. `any`: always.
 */
export const LOADERS: readonly (readonly [
  names: RegExp,
  when: "any" | "folders" | "options" | "address" | "program",
  example: string,
  harmless: string,
])[] = [
  [
    /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|DYLD_FORCE_FLAT_NAMESPACE|BASH_ENV|ENV|ZDOTDIR|PS[0124]|BASH_FUNC_.*|SHELLOPTS|BASHOPTS)$/,
    "any",
    "LD_PRELOAD=./x.so ls",
    "LANG=C ls",
  ],
  [
    /^(?:PYTHONSTARTUP|PYTHONINSPECT|PYTHONBREAKPOINT|PYTHONHOME|PERL5DB|RUBYSHELL|PERL5OPT|RUBYOPT|JULIA_LOAD_PATH|R_PROFILE.*|LUA_INIT.*|GUILE_INIT.*|(?:npm_config|NPM_CONFIG)_(?:script_shell|node_options|init_module|git))$/i,
    "any",
    "RUBYOPT=-r/tmp/x ruby a.rb",
    "RUBY_YJIT=1 ruby a.rb",
  ],
  [
    /^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|SBT_OPTS|JVM_OPTS)$/,
    "options",
    "JAVA_TOOL_OPTIONS=-javaagent:/tmp/x.jar mvn test",
    "MAVEN_OPTS=-Xmx2g mvn test",
  ],
  [
    /^(?:NODE_OPTIONS|DENO_OPTIONS|BUN_OPTIONS|TS_NODE_.*|PYTHONWARNINGS|PYTEST_ADDOPTS|PYTEST_PLUGINS|GOFLAGS|RUSTFLAGS|CARGO_BUILD_.*|MAKEFLAGS|CFLAGS|LDFLAGS|CMAKE_ARGS|COMPOSE_FILE)$/,
    "options",
    "NODE_OPTIONS='--require /tmp/x.js' npm test",
    "NODE_OPTIONS=--max-old-space-size=4096 npm test",
  ],
  [
    /^(?:PATH|LD_LIBRARY_PATH|DYLD_.*PATH|PYTHONPATH|NODE_PATH|PERL5LIB|PERLLIB|RUBYLIB|GEM_PATH|GEM_HOME|GOPATH|GOROOT|LUA_PATH|LUA_CPATH|CDPATH|MANPATH|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|NODE_EXTRA_CA_CERTS|CURL_CA_BUNDLE|PKG_CONFIG_PATH|CMAKE_PREFIX_PATH|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|TCLLIBPATH|LD_RUN_PATH|MODULEPATH|COMPOSER_HOME|BUNDLE_GEMFILE|BUNDLE_PATH)$/,
    "folders",
    "PATH=/tmp/x:$PATH ls",
    "PYTHONPATH=src pytest",
  ],
  [
    /^(?:CC|CXX|LD|AR|RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO|GOTOOLDIR|PYTHON|NODE|SHELL|MAKE|CMAKE_.*_COMPILER_LAUNCHER|FC|AS|JAVA_HOME|HOSTCC|FZF_DEFAULT_COMMAND|FZF_DEFAULT_OPTS|CARGO_TARGET_.*_(?:RUNNER|LINKER)|CONFIG_SHELL)$/,
    "folders",
    "CC=/tmp/x make",
    "CC=clang make",
  ],
  [
    /^(?:GIT_SSH_COMMAND|GIT_SSH|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_PAGER|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|GIT_PROXY_COMMAND|EDITOR|VISUAL|PAGER|MANPAGER|BROWSER|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|PROMPT_COMMAND)$/,
    "program",
    "GIT_SSH_COMMAND='sh -c x' git fetch",
    "GIT_PAGER=cat git log",
  ],
  [
    /^(?:GIT_CONFIG(?:_.*)?|GIT_DIR|GIT_WORK_TREE|GIT_ALTERNATE_.*|GIT_OBJECT_DIRECTORY|GIT_ALLOW_PROTOCOL|GIT_PROTOCOL_FROM_USER)$/,
    "any",
    "GIT_CONFIG_COUNT=1 git log",
    "GIT_AUTHOR_NAME=x git commit -m x",
  ],
  [
    /^(?:npm_config_registry|NPM_CONFIG_REGISTRY|NPM_CONFIG_USERCONFIG|NPM_CONFIG_GLOBALCONFIG|npm_config_userconfig|YARN_REGISTRY|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|PIP_CONFIG_FILE|PIP_FIND_LINKS|UV_INDEX.*|UV_DEFAULT_INDEX|UV_EXTRA_INDEX_URL|CARGO_REGISTRIES_.*|GOPROXY|GONOSUMDB|GONOSUMCHECK|GOSUMDB|GOFLAGS|GOINSECURE|BUNDLE_MIRROR__.*|COMPOSER_MIRROR.*|HOMEBREW_.*_(?:REMOTE|DOMAIN|URL))$/,
    "address",
    "PIP_INDEX_URL=http://x.example pip install -r a.txt",
    "GOPROXY=off go build",
  ],
  [
    /^(?:ANTHROPIC|CLAUDE|OPENAI|GEMINI|GOOGLE|CODEX|QWEN|DASHSCOPE|MISTRAL|OPENROUTER|AZURE_OPENAI)_\w*(?:URL|BASE|ENDPOINT|HOST)$/,
    "address",
    "ANTHROPIC_BASE_URL=https://x.example claude -p x",
    "ANTHROPIC_MODEL=opus claude -p x",
  ],
  [
    /^(?:https?_proxy|HTTPS?_PROXY|ALL_PROXY|all_proxy|NO_PROXY|GIT_SSL_.*)$/,
    "address",
    "HTTPS_PROXY=http://x.example npm ci",
    "HTTPS_PROXY=http://localhost:8080 npm ci",
  ],
  [
    /^(?:NODE_TLS_REJECT_UNAUTHORIZED|PYTHONHTTPSVERIFY|GIT_SSL_NO_VERIFY|GIT_TERMINAL_PROMPT_OFF|npm_config_strict_ssl|NPM_CONFIG_STRICT_SSL|npm_config_ignore_scripts_off)$/,
    "any",
    "NODE_TLS_REJECT_UNAUTHORIZED=0 npm ci",
    "NODE_ENV=test npm ci",
  ],
];

/** Variables that give an agent other settings, and with them other hooks. */
export const AGENT_HOMES =
  /^(?:HOME|XDG_CONFIG_HOME|CLAUDE_CONFIG_DIR|CLAUDE_CODE_(?:SIMPLE|DISABLE_.*)|CODEX_HOME|GEMINI_.*(?:HOME|DIR|SETTINGS.*)|COPILOT_HOME|OPENCODE_(?:CONFIG.*|DISABLE_.*|PURE)|PI_CODING_AGENT_DIR|HERMES_HOME|QWEN_.*(?:HOME|DIR)|CLINE_HOOKS_DIR|GOOSE_MODE|KILO_CONFIG.*|CRUSH_.*|AMP_SETTINGS_FILE|KIRO_HOME|FACTORY_.*|IS_SANDBOX)$/;

/** Variables that change a program's appearance or verbosity, but not what it runs. */
export const HARMLESS_VARIABLES =
  /^(?:CI|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|TERM|COLUMNS|LINES|LANG|LANGUAGE|LC_\w+|TZ|DEBUG|VERBOSE|QUIET|RUST_BACKTRACE|RUST_LOG|PYTHONDONTWRITEBYTECODE|PYTHONUNBUFFERED|PYTHONHASHSEED|VITEST|JEST_WORKER_ID|TEST|TESTS|HUSKY|NPM_CONFIG_FUND|NPM_CONFIG_AUDIT|DJANGO_SETTINGS_MODULE|RAILS_ENV|RACK_ENV|APP_ENV|MIX_ENV|ENVIRONMENT|LOG_LEVEL|UPDATE_SNAPSHOTS)$/;
/** Shell variables by convention: variables that programs read are in capitals. */
export const OWN_VARIABLES = /^(?!npm_config_|.*_proxy$|cdpath$|prompt|path$|manpath$|fpath$)[a-z][a-z0-9_]*$/;
