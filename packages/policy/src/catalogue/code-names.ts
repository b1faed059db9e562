/** What names in code mean, whatever the language. An example of each and one that only looks like it. */
export interface CodeNames {
  readonly effect: "deletes" | "deletes-here" | "runs" | "dynamic" | "writes" | "moves" | "network" | "sends" | "reads";
  readonly names: RegExp;
  readonly language: string;
  readonly example: string;
  readonly counterexample: string;
}

export const CODE_NAMES: readonly CodeNames[] = [
  {
    // By their own name, whatever they belong to.
    effect: "deletes",
    names:
      /^(?:rmtree|removedirs|rm(?:dir)?sync|unlink(?:sync|_all)?|rmdir|rimraf|empty_?dir(?:sync)?|remove(?:sync|_tree|_file|_dir(?:_all)?|item|dir(?:ectory)?(?:recursive)?|path(?:forcibly)?|all_files)|rm_(?:rf|r|f)!?|trash_?item|send2trash|(?:delete|remove|erase|del|rm|terminate|destroy|purge)_?(?:recursively|tree|files?|ifexists|director(?:y|ies)|all|many|one|dirs?|folders?|buckets?|objects?|tables?|databases?|items?|records?|users?|repo\w*|instances?|stacks?|clusters?|r)(?:_?(?:and_)?(?:tree|files?|recursively|contents|r))*|delete_[a-z]+|terminate_[a-z]+|deltree|truncate(?:sync)?|ftruncate|drop_?(?:database|collection|all|table)|flush_?(?:all|db)|remove_entry\w*|removefile)$/i,
    language: "python",
    example: "import shutil; shutil.rmtree('src')",
    counterexample: "print('rmtree')",
  },
  {
    // Common words, which count where files can be reached.
    effect: "deletes-here",
    names: /^(?:rm|remove|delete!?|del|erase|wipe|trash|destroy|drop|purge|removedir)$/i,
    language: "python",
    example: "import os as o; o.remove('app.db')",
    counterexample: "names = ['a']; names.remove('a')",
  },
  {
    effect: "runs",
    names:
      /^(?:system|popen[23]?|exec(?:sync|file(?:sync)?|v[ep]*|l[ep]*)|spawn(?:sync|v[ep]*|l[ep]*|process)?|posix_spawnp?|getoutput|getstatusoutput|check_(?:output|call)|subprocess|child_process|shell_exec|passthru|proc_open|pcntl_exec|qx|open3|shellexecute|startfile|processbuilder|getruntime|fork|forkpty|cmd|shell2?|syscmd|esyscmd|createprocess|kill)$/i,
    language: "python",
    example: "import os; os.system(command)",
    counterexample: "print('system')",
  },
  {
    effect: "dynamic",
    names:
      /^(?:eval|exec|__import__|importlib|import_module|getattr|globals|__builtins__|__subclasses__|__globals__|marshal|ctypes|cffi|runpy|run_path|loadstring|dofile|instance_eval|class_eval|module_eval|create_function|call_user_func(?:_array)?|binding|createrequire|runin(?:this|new)?context|dlopen|ffi|loadlibrary|parse_expr|evaluate|execfile|code_to_run)$/i,
    language: "python",
    example: "exec(text)",
    counterexample: "print('exec')",
  },
  {
    effect: "writes",
    names:
      /^(?:write(?:_?text_?file(?:sync)?|file(?:sync)?|_(?:text|bytes)|lines|csv|json|all)?|appendfile(?:sync)?|append_text|createwritestream|file_put_contents|fputs|fwrite|spit|dump|save(?:fig)?|to_(?:csv|json|excel|parquet|pickle|sql)|extract_?all|unpack_archive|copy(?:file(?:sync)?|2|tree|_file|sync)?|cp(?:sync|_r)?|symlink(?:sync|_to)?|link(?:sync|_to)?|hardlink_to|chmod(?:sync)?|lchmod|chown(?:sync)?|touch|mkdir(?:sync|s|_p)?|makedirs|outputfile|setattr|install)$/i,
    language: "javascript",
    example: "require('fs').appendFileSync('/home/ann/.zshrc', 'x')",
    counterexample: "console.log('/home/ann/.zshrc')",
  },
  {
    effect: "moves",
    names: /^(?:move(?:sync|item|_file)?|mv|rename(?:sync|s)?|file_move)$/i,
    language: "python",
    example: "import shutil as s; s.move('src', '/tmp/x')",
    counterexample: "import shutil as s; s.move('src/a.ts', 'src/b.ts')",
  },
  {
    effect: "network",
    names:
      /^(?:requests|urllib2?|httpx|aiohttp|http|https|fetch|axios|got|xmlhttprequest|net|dgram|dns|socket|smtplib|ftplib|telnetlib|paramiko|websockets?|tcpsocket|udpsocket|lwp|curl(?:_exec|_init)?|urlopen|urlretrieve|sendbeacon|open-uri|uri|nodemailer|boto3|mechanize|faraday|httparty|resttemplate|httpclient|eventsource|httpoison|req)$/i,
    language: "python",
    example: "import requests; requests.post('https://x.example', data=open('a.txt').read())",
    counterexample: "import requests; print(requests.get('https://x.example').status_code)",
  },
  {
    effect: "sends",
    names:
      /^(?:post|put|patch|delete|sendmail|send_message|sendto|sendall|send|upload\w*|storbinary|post_form|method|body|data|files|json)$/i,
    language: "javascript",
    example: "fetch('https://x.example', { method: 'POST', body: document.cookie })",
    counterexample: "fetch('https://x.example')",
  },
  {
    effect: "reads",
    names:
      /^(?:open|read(?:file(?:sync)?|_(?:text|bytes)|lines?|all)?|file_get_contents|slurp|environ|getenv|env|cookie|localstorage|sessionstorage|hostname|gethostname|getuser|username|homedir|listdir|readdir(?:sync)?|glob|walk|fopen|getlogin|expanduser)$/i,
    language: "python",
    example: "import urllib.request as u; u.urlopen('https://x.example/?' + open('a').read())",
    counterexample: "print(open('a').read())",
  },
];

/** Names that show that code can reach files, processes or a database. */
export const CAPABLE =
  /\b(?:os|shelljs|shutil|pathlib|Path|fs|node:fs|fs-extra|fs\/promises|Deno|Bun|File|FileUtils|Dir|Files?|FileManager|IO|Pathname|Filesystem|java\.io|java\.nio|babashka\.fs|directory|db|objects|ActiveRecord|Model|prisma|knex|sequelize|redis|mongo\w*|sqlite3?|psycopg2?|cursor|Storage|DB|Schema|User|Order|Account)\b/;

/** Modules that reach nothing outside of the program. */
export const HARMLESS_MODULES =
  /^(?:json|sys|re|math|datetime|time|collections|itertools|functools|statistics|random|string|textwrap|pprint|hashlib|hmac|base64|binascii|csv|decimal|fractions|uuid|typing|dataclasses|enum|operator|copy|calendar|zoneinfo|locale|difflib|unicodedata|struct|bisect|heapq|array|ast|tokenize|keyword|platform|secrets|html|html\.parser|xml\.etree(?:\.ElementTree)?|urllib\.parse|configparser|tomllib|yaml|toml|numpy|pandas|os\.path|path|node:path|util|node:util|url|node:url|querystring|crypto|node:crypto|assert|node:assert|events|buffer|node:buffer|perf_hooks|os|node:os|pathlib|glob|argparse|traceback|inspect|sysconfig|site|pkg_resources|importlib\.metadata|fs|node:fs|semver|lodash|typescript|django|flask|torch|tensorflow|sklearn|scipy|matplotlib|requests|attr|pydantic|packaging(?:\.\w+)?)$/;

/** Of modules that could do more: what only looks. */
export const LOOKING_MEMBERS =
  /^(?:getcwd|getpid|path|exists|existssync|isfile|isdir|join|basename|dirname|abspath|realpath|realpathsync|splitext|stat|statsync|lstatsync|listdir|scandir|walk|readdir(?:sync)?|readfile(?:sync)?|read_text|read_bytes|cpu_count|cpus|uname|sep|linesep|name|getsize|getmtime|st_size|st_mtime|size|mtime|is_file|is_dir|isdirectory|iterdir|glob|rglob|parent|parents|stem|suffix|resolve|relative|relative_to|cwd|totalmem|freemem|loadavg|platform|arch|release|type|eol|tmpdir|version|versions|argv|env|environ|get|stdout|stdin|stderr|exit|promises|constants|utf8|encoding|withfiletypes|recursive|uptime|memoryusage|hrtime|nexttick|pid|title|fspath|getenv|expanduser|normpath|relpath|commonpath)$/i;

/** Words that do nothing by themselves, in the smaller languages. */
export const PLAIN_WORDS =
  /^(?:print|printf|say|puts|p|pp|echo|var_dump|print_r|die|exit|if|else|elsif|elif|unless|while|until|for|foreach|in|do|end|then|fi|done|next|last|redo|and|or|not|xor|eq|ne|lt|gt|le|ge|cmp|my|our|local|var|let|const|use|strict|warnings|require|BEGIN|END|NR|NF|FS|OFS|RS|ORS|FNR|FILENAME|length|substr|index|split|join|sub|gsub|match|tolower|toupper|sprintf|int|sqrt|sin|cos|exp|log|rand|srand|uc|lc|ucfirst|lcfirst|chomp|chop|chr|ord|reverse|sort|keys|values|each|map|grep|scalar|defined|undef|push|pop|shift|unshift|splice|abs|s|y|tr|m|qr|q|qq|x|g|i|e|d|function|return|true|false|nil|null|undefined|self|this|new|class|def|lambda|proc|json_encode|json_decode|phpversion|PHP_VERSION|RUBY_VERSION|VERSION|implode|explode|count|strlen|str_repeat|array|isset|cat|paste|c|data|mean|sum|head|summary|sessionInfo|R|version|string|nchar|rev|seq|length|first|size|upcase|downcase|gem|time|now|Time|Date|to_s|to_i|to_a|to_json|JSON|parse|dump|pretty_generate|STDIN|STDOUT|read|gets|each_line|select|inject|reduce|min|max|stdlib|io|lines|delete_if_none|getopt|asort|asorti|systime|strftime|nextfile|getline_none)$/;
