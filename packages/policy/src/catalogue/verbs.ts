/** Verbs of an unknown program that suggest a permanent change, or one that affects others. */
export const CHANGING_VERBS: ReadonlySet<string> = new Set(
  "delete del remove rm rmi destroy drop purge wipe erase nuke terminate undefine unregister deregister uninstall unpublish publish push submit upload deploy undeploy rollback revoke truncate flush reset prune kill shutdown decommission evict detach disable suspend cancel transfer refund charge pay payout withdraw release promote yank deprecate archive unlink teardown obliterate trash format wipefs expire invalidate rotate ban block lock unlock send share expose tunnel clear".split(
    " ",
  ),
);

/** What is seen in a text as a whole. `needs`: letters without one of which the pattern cannot match. Quotes and brackets are left out. */
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
