import fc from "fast-check";

/** A secret planted in a text. */
export interface Canary {
  readonly kind: string;
  readonly text: string;
  /** The part that must not be readable. */
  readonly body: string;
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const DIGITS = "0123456789";
const BASE62 = UPPER + LOWER + DIGITS;
const BASE64 = `${BASE62}+/`;
const BASE64URL = `${BASE62}_-`;
const HEX = "0123456789abcdef";
const SIGNS = "!@#$%^&*?+=_.-~|:";

const of = (characters: string, length: number, most = length) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: most });

const token = (kind: string, begins: string, characters: string, length: number, most = length): fc.Arbitrary<Canary> =>
  // An early digit, as nearly all have.
  of(characters, length, most).map((rest) => {
    const digit = characters.includes("7") ? `${rest.slice(0, 5)}7${rest.slice(6)}` : rest;
    return { kind, text: begins + digit, body: digit };
  });

const around = (kind: string, before: string, body: fc.Arbitrary<string>, after = ""): fc.Arbitrary<Canary> =>
  body.map((secret) => ({ kind, text: before + secret + after, body: secret }));

const password = fc.tuple(of(BASE62, 4, 8), of(DIGITS, 1, 3), of(BASE62 + SIGNS, 2, 8), of(BASE62, 2, 4)).map((parts) => parts.join(""));
const urlPassword = fc.tuple(of(BASE62, 4, 8), of(DIGITS, 1, 3), of(`${BASE62}!$^&*._-`, 2, 8)).map((parts) => parts.join(""));
const phrase = fc.array(of(LOWER, 4, 8), { minLength: 3, maxLength: 5 }).map((words) => words.join(" "));
const lines = (lineBreak: string) => fc.array(of(BASE64, 64), { minLength: 2, maxLength: 6 }).map((all) => all.join(lineBreak));

const pem = (kind: string, label: string, lineBreak: string) =>
  lines(lineBreak).map((body) => ({
    kind,
    text: `-----BEGIN ${label}-----${lineBreak}${body}${lineBreak}-----END ${label}-----`,
    body,
  }));

export const CANARIES: Readonly<Record<string, fc.Arbitrary<Canary>>> = Object.fromEntries(
  [
    token("AWS access key", "AKIA", UPPER + DIGITS, 16),
    token("temporary AWS access key", "ASIA", UPPER + DIGITS, 16),
    token("GitHub token", "ghp_", BASE62, 36),
    token("GitHub app token", "ghs_", BASE62, 36),
    token("fine-grained GitHub token", "github_pat_", `${BASE62}_`, 82),
    token("Anthropic key", "sk-ant-api03-", BASE64URL, 95),
    token("OpenAI key", "sk-proj-", BASE64URL, 48, 160),
    token("old OpenAI key", "sk-", BASE62, 48),
    token("DeepSeek key", "sk-", HEX, 32),
    token("Stripe key", "sk_live_", BASE62, 24),
    token("restricted Stripe key", "rk_test_", BASE62, 24, 99),
    token("Stripe webhook secret", "whsec_", BASE62, 32),
    token("Slack token", "xoxb-", `${BASE62}-`, 40),
    token("Google API key", "AIza", BASE64URL, 35),
    token("Google access token", "ya29.", BASE64URL, 60),
    token("Google client secret", "GOCSPX-", BASE64URL, 28),
    token("GitLab token", "glpat-", BASE64URL, 20),
    token("npm token", "npm_", BASE62, 36),
    token("PyPI token", "pypi-AgEIcHlwaS5vcmc", BASE64URL, 100),
    token("Hugging Face token", "hf_", BASE62, 34),
    fc.tuple(of(BASE64URL, 22), of(BASE64URL, 43)).map(([id, key]) => ({ kind: "SendGrid key", text: `SG.${id}.${key}`, body: key })),
    token("DigitalOcean token", "dop_v1_", HEX, 64),
    token("Telegram token", "123456789:AA", BASE64URL, 33),
    token("age key", "AGE-SECRET-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    token("Groq key", "gsk_", BASE62, 52),
    token("xAI key", "xai-", BASE62, 80),
    token("Linear key", "lin_api_", BASE62, 40),
    fc
      .tuple(of(BASE64URL, 40), of(BASE64URL, 80), of(BASE64URL, 43))
      .map(([head, claims, signature]) => ({ kind: "signed token", text: `eyJ${head}.eyJ${claims}.${signature}`, body: signature })),
    around("bearer token", "Authorization: Bearer ", of(BASE64URL, 32, 64)),
    around("basic authorization", "Authorization: Basic ", of(BASE64, 16, 40), "=="),
    around("password of a database", "postgres://admin:", urlPassword, "@db.example:5432/shop"),
    around("password without a user", "redis://:", urlPassword, "@cache.example:6379/0"),
    around("token in an address", "https://files.example/a?x=1&token=", of(BASE62, 24, 40)),
    around("storage key", "AccountName=shop;AccountKey=", of(BASE64, 86), "==;EndpointSuffix=core.windows.net"),
    around("password of a command", "mysql -u root --password ", password),
    around("environment variable", "export DB_PASSWORD=", password),
    around(
      "environment token",
      "DEPLOY_TOKEN=",
      of(BASE62, 30).map((rest) => `${rest.slice(0, 4)}7${rest}`),
    ),
    around("assigned password", "password: ", password),
    around(
      "quoted key",
      'const apiKey = "',
      of(BASE62, 32).map((rest) => `${rest.slice(0, 4)}7${rest}`),
      '";',
    ),
    around(
      "AWS secret",
      "aws_secret_access_key = ",
      of(BASE62, 40).map((rest) => `${rest.slice(0, 4)}7${rest.slice(5)}`),
    ),
    around("passphrase in JSON", '{"user":"ana","passphrase":"', phrase, '"}'),
    around("client secret in JSON", '{"client_secret": "', password, '"}'),
    pem("private key", "RSA PRIVATE KEY", "\n"),
    pem("private key in one line", "PRIVATE KEY", "\\n"),
    pem("SSH key", "OPENSSH PRIVATE KEY", "\r\n"),
  ].map((one) => [fc.sample(one, { numRuns: 1, seed: 1 })[0]?.kind ?? "", one]),
);

/** Any planted secret, between words. */
export const canaries: fc.Arbitrary<Canary> = fc.oneof(...Object.values(CANARIES));

/** Text before and after a secret, which must be found in all of them. */
export const SURROUNDINGS: readonly (readonly [string, string])[] = [
  ["", ""],
  ["I use ", " for that."],
  ["first line\n", "\nlast line"],
  ["`", "`"],
  ["('", "')"],
  ["\u001b[32m", "\u001b[0m"],
  ["👩‍👩‍👧‍👦 é ", " 🏴"],
];

/** Whether six consecutive characters of the secret remain. */
export function leaks(text: string, body: string): boolean {
  for (let index = 0; index + 6 <= body.length; index++) if (text.includes(body.slice(index, index + 6))) return true;
  return false;
}

/** Harmless texts that resemble secrets. */
export const HARMLESS_TEXTS: readonly string[] = [
  "The task-force met on Tuesday and discussed risk-based pricing for sk-learn and disk-usage-analysis-tools-2026.",
  "Use scikit-learn (import sklearn) or sk-learn-intelex-2024-extension; ask-me-anything-about-databases.",
  "To reset it, click password reset. Your password must have at least 8 characters, 1 digit and 1 sign.",
  "Password: required. Passwords are hashed with argon2id. password: string; passwordHash: string",
  "interface Login { readonly password: string; readonly apiKey?: string; readonly access_token: string | undefined }",
  "const password = Type.String({ minLength: 8, maxLength: 128 });",
  "api_key=[redacted] password=******** token=<your token> secret=\x24{SECRET} API_KEY=$OPENAI_API_KEY",
  'api_key = os.environ["OPENAI_API_KEY_2"]; apiKey: process.env.ANTHROPIC_API_KEY',
  "password=getPassword(user1) api_key: fetchKey(2)",
  "export PATH=/usr/local/bin:$PATH && pwd=/home/ana/project1 && echo $HOME",
  "max_tokens=4096, token_count: 12345678, reply_token rpl_abcdefghijkl, tool_call_id toolu_01A09q90qw90lq917835lq9",
  "f47ac10b-58cc-4372-a567-0e02b2c3d479",
  "commit 8f14e45fceea167a5a36dedd4bea2543b3a1f0c1 Merge branch 'main' of github.com:acme/shop",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "/usr/local/share/doc/readme.txt C:\\Users\\ana\\secrets\\key.txt ./src/token/key-value-store.ts",
  "https://example.com/a/b?c=d&e=f#token https://docs.example.com:8443/api/v1/keys?sort=name&page=2",
  "http://localhost:3000/login?next=/home and http://127.0.0.1:4317/events, ws://hub.example:80/live",
  "mailto:ana@example.com or git@github.com:acme/shop.git, ssh://git@host.example:22/acme.git",
  '{"url":"https://example.com","mail":"ana@example.com","list":["https://a.example","b@example.com"]}',
  "The bearer of bad news. Bearer tokens are sent in the Authorization header: Authorization: Bearer <token>",
  "Basic understanding of authentication: basic authorization uses base64. Authorization: required",
  "The private key stays on the machine; -----BEGIN CERTIFICATE----- MIIBszCCAVmgAwIBAgIUQ -----END CERTIFICATE-----",
  "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----",
  "primary key: users_id_1; PRIMARY_KEY=orders_2024_pk; foreign key users.id → orders.user_id; SORT_KEY: created_at_2",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsABgH5C9okWi0dh2l9GKJl ana@laptop",
  "It costs $12.50 (12345678 units), call +49 170 1234567, on 2026-07-01T09:00:00.250Z at 10:45:30",
  "npm_config_registry=https://registry.npmjs.org npm_lifecycle_event=build hf_hub_download(repo_id='x')",
  "The keys are: key=value, monkey=7, turkey: 12345678, hotkey: ctrl+shift+12, keyboard",
  "git rebase -i HEAD~3; grep -rn token packages/ | wc -l; ls -la ~/.ssh/id_rsa.pub",
  "tokenizer: cl100k_base, tokens: 128000, tokenization=bpe2024 secretary: Ana Example1, secretion",
  "class Secret<Value> { readonly #value: Value } // secrets never print",
  "eyJust a word, eyJ is how JSON looks in base64: eyJhIjoxfQ==",
  "SG. stands for Singapore. AIza is a prefix. AKIA too. ghp_ as well. sk-... is how keys begin.",
  "xoxo-love-and-kisses xox is no prefix; glpat- is one; npm_ is another",
  "Use --password-file /run/secrets/db or --token-file=/run/token; --secret id=npmrc,src=.npmrc",
  'curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/items?limit=100',
  "DATABASE_URL=postgres://user:\x24{DB_PASSWORD}@localhost:5432/db and postgres://localhost/db",
  "amqp://guest@localhost:5672 mongodb://db0.example.com:27017,db1.example.com:27017/?replicaSet=rs0",
  "The cookie is set by the server: Set-Cookie with SameSite=Lax; cookies: 12345678",
  "if (password.length < 8) throw new Error('password: too short'); auth: none; credentials: include",
  "The client secret is stored in the vault, the api key in the keychain, and the access token in memory.",
  "function authToken(request: Request): string | undefined { return request.headers.get('x')?.slice(7) }",
  "de-DE zh-Hant-TW 8.8.8.8 2001:db8::1 00:1A:2B:3C:4D:5E #ff8800 1e-10 0xdeadbeef 12:34:56",
  "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna aliqua",
  "SELECT id, password_hash FROM users WHERE token_id = 12345678 AND secret IS NULL; -- api_key: see vault",
  "const apiKeys = new Map<string, ApiKey>(); type AccessToken = Brand<string, 'AccessToken'>;",
  "http://[::1]:8080/x and https://[fe80::1%25eth0]:443/, `http://\x24{host}:\x24{port}@x` in a template",
  "url: /^(?:https?|ftp):\\/\\/(?:\\S+(?::\\S*)?@)?(?:example)/",
  "The user asked: what is my password? I answered: I cannot know it.",
  "evt_00112233445566778899aabbccddeeff sess_aa0011 call_01 out_1 rpl_5f1c sub_77 01J0Z3NDEKTSV4RRFFQ69G5FAV",
  "msg_01XFDUDYJgAACzvnptvVoYEL toolu_01T1x1fJ34qAmk2tNTrN7Up6 req_011CSHoEeqs5C35K2UUqR7Fy chatcmpl-123",
];
