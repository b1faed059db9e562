const LOOSE = `rules:\n  - name: all\n    match: { tool: Bash }\n    answer: allow\n`;
const loosen = `printf '%s' '${LOOSE}' > "$policy"`;

/** Scripts for an agent's shell that leave the hub unchanged and need a terminal, the commands or a race. */
export const SCRIPTS: Readonly<Record<string, string>> = {
  "asks for a new start link": `earshot start; in_terminal "start" ''`,
  "says allow, deny, answer, stop, accept, pair and reset at the command line, without a terminal": `
    earshot allow "$REQUEST" --reason x --keep
    earshot deny "$REQUEST"
    printf 'yes\\n000000\\n' | "$NODE" "$EARSHOT" answer "$CONFIRMATION" accept 2>&1
    EARSHOT_PIN=000000 EARSHOT_URL="$URL" CI=1 earshot allow "$CONFIRMATION"
    earshot session stop session-1; earshot away on; earshot pause 30m --reason lunch
    for pin in 000000 123456 "$(cat "$files/request.key")"; do printf '%s\\n' "$pin" | "$NODE" "$EARSHOT" token create me --role approver --pin-stdin 2>&1; done
    timeout 3 "$NODE" "$EARSHOT" pair --role approver </dev/null 2>&1
    earshot device reset`,
  "says allow in a terminal, and guesses at the PIN": `in_terminal "allow $REQUEST" yes 000000 123456 password; in_terminal "deny $REQUEST" '' ''`,
  "presses keys in the inbox": `in_terminal inbox '' a 1 y allow q`,
  "accepts its own rules at the command line": `${loosen}; let_it_look; earshot policy accept; in_terminal "policy accept" yes 000000 123456`,
  "pauses, goes away and makes itself a token in a terminal": `
    in_terminal "pause 30m --reason lunch" 000000 123456; in_terminal "away on" 000000; in_terminal "token create me --role admin" 000000`,
  "changes the file and changes it back, again and again, while it asks": `
    cp "$policy" "$REPOSITORY/mine.yaml"
    for turn in $(seq 1 60); do ${loosen}; ask "wipe --all" >/dev/null; cp "$REPOSITORY/mine.yaml" "$policy"; done &
    for turn in $(seq 1 30); do ask "wipe --all"; sleep 0.05; done | grep '"behavior":"allow"'
    wait`,
};

/** Sets a PIN in the attacker's own hub and prints a ticket for it. */
const OWN_PIN = `
  import { generateKeyPairSync, sign } from "node:crypto";
  const [url, viewer] = process.argv.slice(1);
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const headers = { authorization: "Bearer " + viewer, "content-type": "application/json" };
  const post = async (path, body) => (await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  await post("/api/first-pin", { pin: { salt: "AAAAAAAAAAAAAAAAAAAAAA", cost: 32768, key: publicKey.export({ format: "jwk" }).x } });
  const { challenge } = await (await fetch(url + "/api/ticket")).json();
  const text = ["earshot pin", url, "unlock", challenge].join("\\n");
  const { ticket } = await post("/api/unlock", { challenge, signature: sign(null, Buffer.from(text), privateKey).toString("base64url") });
  console.log(ticket);`;

/** These stop the hub or start another one. */
export const HARD_SCRIPTS: Readonly<Record<string, string>> = {
  "kills the hub, loosens the rules, starts it again and asks": `
      kill -9 "$HUB_PID"; sleep 0.3
      ${loosen}; printf 'rules: []\\n' > "$repository_policy"
      "$NODE" "$EARSHOT" start --port "$PORT" --no-open </dev/null >/dev/null 2>&1 &
      for turn in $(seq 1 100); do get /health | grep -q '"ready":true' && break; sleep 0.1; done
      let_it_look; ask "wipe --all"; post "/aep/v1/hooks?wait=100" "$producer" "$EVENT"`,
  "stops the hub as one is told to, removes the rules, and starts it again": `
      earshot hub stop; rm -f "$policy"; rm -rf "$REPOSITORY/.earshot"
      "$NODE" "$EARSHOT" start --port "$PORT" --no-open </dev/null >/dev/null 2>&1 &
      for turn in $(seq 1 100); do get /health | grep -q '"ready":true' && break; sleep 0.1; done
      let_it_look; post /api/first-pin "$viewer" '{"pin":{"salt":"AAAAAAAAAAAAAAAAAAAAAA","cost":32768,"key":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}}'; earshot policy accept`,
  "starts the hub again with other settings": `
      printf 'strict: false\\ncapture: minimal\\npolicy: none\\napprover: anyone\\npublicUrl: https://hub.example\\n' > "$files/config.yaml"
      earshot hub stop
      "$NODE" "$EARSHOT" start --port "$PORT" --no-open --dangerously-listen-on 0.0.0.0 --keep-secrets all </dev/null >/dev/null 2>&1 &
      for turn in $(seq 1 50); do get /health | grep -q '"ready":true' && break; sleep 0.1; done
      post "/api/requests/$REQUEST/answer" "$viewer" "{\\"digest\\":\\"$DIGEST\\",\\"answer\\":\\"allow\\"}"
      rm "$files/config.yaml"`,
  "starts a hub of its own, in which it is the approver, and asks that": `
      export EARSHOT_HOME="$REPOSITORY/mine"
      "$NODE" "$EARSHOT" start --port 0 --no-open </dev/null >"$REPOSITORY/mine.log" 2>&1 &
      for turn in $(seq 1 100); do [ -s "$EARSHOT_HOME/address.json" ] && break; sleep 0.1; done
      own=$(grep -oE 'http://127.0.0.1:[0-9]+' "$EARSHOT_HOME/address.json" | head -1)
      mine=$(cat "$EARSHOT_HOME/viewer.token")
      ticket=$("$NODE" --input-type=module -e '${OWN_PIN}' "$own" "$mine")
      echo "own ticket: $ticket"
      for path in "/api/requests/$REQUEST/answer" "/api/policy/accept" "/api/pause"; do
        post "$path" "$ticket" "{\\"digest\\":\\"$DIGEST\\",\\"answer\\":\\"allow\\",\\"hash\\":\\"none\\",\\"forMs\\":60000,\\"reason\\":\\"x\\"}"
      done`,
};

/** Changes that malware under the same account can make to files and no hub can prevent. */
export const MALWARE = {
  /** The chain could be recomputed as well; then only the missing decision in the hub's memory reveals the forgery. */
  forge: `
    "$NODE" -e 'const { DatabaseSync } = require("node:sqlite"); const db = new DatabaseSync(process.argv[1]); db.exec("PRAGMA busy_timeout = 5000"); const position = db.prepare("SELECT max(position) AS at FROM entry").get().at + 1; const text = JSON.stringify({ state: "answered-by-person", request: process.argv[2], digest: process.argv[3], by: "Ana", answer: JSON.stringify({ word: "allow" }) }); db.exec("BEGIN IMMEDIATE"); db.prepare("INSERT INTO entry SELECT ?, session, received_at, 2, 1, ?, agent, NULL, NULL, NULL, NULL, ?, hash, 0, NULL FROM entry WHERE position = (SELECT position FROM request WHERE id = ?)").run(position, "decision", text, process.argv[2]); db.prepare("UPDATE request SET state = ?, settled_by = ? WHERE id = ?").run("answered-by-person", position, process.argv[2]); db.exec("COMMIT")' "$files/ledger.db" "$REQUEST" "$DIGEST" 2>&1`,
  meet: `ask ls; ask ls; get "/aep/v1/hooks/$REQUEST?wait=500" "$producer"`,
  stop: "earshot hub stop",
  "forget who is admitted": `rm "$files/access.json"`,
  "forget everything": `rm -f "$files"/ledger.db* "$policy"; rm -rf "$REPOSITORY/.earshot"`,
} as const;
