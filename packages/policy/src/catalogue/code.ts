import type { Rows } from "./row.ts";

/** Programs that run other programs or code that cannot be inspected. Inline code is inspected from its text. */
export const CODE: Rows = {
  "code-unread": [
    ["sh|bash|zsh|dash|ksh [--rcfile --init-file]", "bash --rcfile x -i", "bash --version"],
    ["python|python3|python2|pypy|node|nodejs|php ~interactive", "python3 -i", "python3 -W ignore a.py"],
    ["* {names-program}", "sort --compress-program=./x a.txt", "rsync -e 'ssh -p 22' a staging:"],
    ["source|. !~known-script", ". ./evil.sh", "source .venv/bin/activate"],
    [
      "jq|awk|gawk|sed|perl|make|gmake|just [-f --from-file --file --makefile --justfile]=-|/dev/*|/proc/*|/tmp/*",
      "jq -f /dev/stdin",
      "jq -f a.jq",
    ],
    ["gdb|lldb|r2|radare2|frida|bpftrace|stap [-ex -x -p -o -c --eval-command --command --batch -e]", "gdb -p 1", "gdb --version"],
    ["xdotool|ydotool|wtype|xte|cliclick", "xdotool type x", "which xdotool"],
  ],
  "loads-code": [
    ["* {loads-code}", "LD_PRELOAD=./x.so ls", "LANG=C ls"],
    ["export|declare|typeset|local|readonly {exports-loader}", "export PATH=/tmp/evil:$PATH", "export NODE_ENV=test"],
    [
      "node|nodejs|bun|tsx|ts-node|mocha|electron [-r --require --import --loader --experimental-loader --preload]=data:*|http*|/tmp/*|/dev/*|~*",
      "node --import data:text/javascript,x a.js",
      "node --require dotenv/config a.js",
    ],
    ["perl|ruby|php|lua|python|python3 [-I -M -d]=/tmp/*|/dev/*|auto_prepend_file*|extension=*", "perl -I/tmp/x a.pl", "perl -Ilib a.pl"],
    [
      "java|javac|mvn|gradle /-javaagent:*|-agentpath:*|-agentlib:*|-xbootclasspath*/",
      "java -javaagent:/tmp/x.jar -jar a.jar",
      "java -jar a.jar",
    ],
    ["java|javac|kotlin|scala [-cp -classpath --class-path]=/tmp/*|http*", "java -cp /tmp/x Main", "java -cp build Main"],
    ["git {setting:option}", "git -c core.pager=x log", "git -c color.ui=never log"],
    ["gcc|g++|clang|clang++|cc|rustc [-fplugin -wrapper -B]=/tmp/*", "gcc -fplugin=/tmp/x.so a.c", "gcc a.c"],
    [
      "npm|pnpm|yarn pkg|set-script /scripts|scripts.pre*|scripts.post*|scripts.install*/",
      "npm pkg set scripts.postinstall=x",
      "npm pkg set scripts.lint=eslint",
    ],
    ["cmake [-P]", "cmake -P wipe.cmake", "cmake -S . -B build"],
    ["enable|hash [-f -p]", "enable -f ./x.so x", "hash -r"],
    ["complete|mapfile|readarray|bind [-C -x]", "complete -C x ls", "complete -p"],
  ],
};
