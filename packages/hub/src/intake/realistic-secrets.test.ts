import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { redactText } from "./redact-text.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const BASE62 = LOWER + LOWER.toUpperCase() + DIGITS;
const HEX = `${DIGITS}abcdef`;

/** A generator with a fixed seed: the secrets are the same in every run, and are in no source file. */
let seed = 20_261_119;
function random(limit: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}
const of = (alphabet: string, length: number) => Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
const b62 = (length: number) => `${of(BASE62, length - 2)}7k`;
const url = (length: number) => `${of(`${BASE62}_-`, length - 2)}4Q`;
const hex = (length: number) => of(HEX, length);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
const upper = (length: number) => of(LOWER.toUpperCase() + DIGITS, length);
const password = () => `${of(BASE62, 5)}${random(10)}!${of(BASE62, 4)}`;

/** Each secret stands in `text` as people and programs write it. */
type Planted = readonly [kind: string, secret: string, text: (secret: string) => string];
const plain = (kind: string, secret: string): Planted => [kind, secret, (one) => `I use ${one} for that.`];
const base64 = (text: string) => Buffer.from(text).toString("base64");

const PLANTED: readonly Planted[] = [
  plain("Earshot token", `ear_${url(43)}`),
  ["Earshot token in a header", `ear_${url(43)}`, (s) => `-H 'Authorization: Bearer ${s}'`],
  ["Earshot token in an address", `ear_${url(43)}`, (s) => `http://127.0.0.1:4747/k/${s}/sessions`],
  ["Slack webhook", `T${upper(8)}/B${upper(10)}/${b62(24)}`, (s) => `https://hooks.slack.com/services/${s}`],
  ["Discord webhook", url(68), (s) => `curl -d @x https://discord.com/api/webhooks/112233445566778899/${s}`],
  ["Teams webhook", `${uuid()}@${uuid()}/IncomingWebhook/${hex(32)}/${uuid()}`, (s) => `https://acme.webhook.office.com/webhookb2/${s}`],
  ["cookie header", b62(32), (s) => `Cookie: theme=dark-mode-2; session=${s}; lang=en`],
  ["set-cookie header", b62(40), (s) => `< Set-Cookie: sid=${s}; Path=/; HttpOnly`],
  ["cookie of curl", b62(24), (s) => `curl -H "Cookie: PHPSESSID=${s}" https://shop.example/`],
  ["curl -u", password(), (s) => `curl -u admin:${s} https://api.example/v1`],
  ["curl --user", password(), (s) => `curl -sS --user 'deploy:${s}' -X POST https://api.example/v1`],
  ["curl -u with a token", b62(24), (s) => `curl https://api.example/v1 -u ${s.slice(0, 4)}:${s}`],
  ["mysql -p", password(), (s) => `mysql -h db -u root -p${s} shop`],
  ["mysqldump -p", password(), (s) => `mysqldump --single-transaction -uroot -p'${s}' shop > dump.sql`],
  ["MYSQL_PWD", password(), (s) => `MYSQL_PWD=${s} mysql -u root`],
  ["PGPASSWORD", password(), (s) => `PGPASSWORD=${s} psql -h db -U app`],
  ["sshpass -p", password(), (s) => `sshpass -p ${s} ssh root@10.0.0.4`],
  ["sshpass -p'…'", password(), (s) => `sshpass -p'${s}' scp a b@c:`],
  ["netrc", password(), (s) => `machine api.heroku.com login ana@example.com password ${s}`],
  ["netrc on lines", b62(20), (s) => `machine github.com\n  login ana\n  password ${s}\n`],
  ["pgpass", password(), (s) => `db.internal:5432:shop:app:${s}`],
  ["pgpass for any host", password(), (s) => `*:*:*:postgres:${s}`],
  ["kubeconfig token", `${of(LOWER + DIGITS, 6)}.${of(LOWER + DIGITS, 14)}7k`, (s) => `users:\n- name: admin\n  user:\n    token: ${s}\n`],
  ["kubeconfig long token", b62(64), (s) => `    user:\n      token: ${s}\n`],
  ["kubeconfig key", base64(`${b62(90)}`), (s) => `    client-key-data: ${s}\n`],
  ["service account token", `eyJ${url(40)}.eyJ${url(200)}.${url(300)}`, (s) => `    token: ${s}\n`],
  plain("Discord bot token", `MT${b62(22)}.${url(6)}.${url(38)}`),
  plain("Twilio key", `SK${hex(32)}`),
  ["Twilio auth token", hex(32), (s) => `TWILIO_AUTH_TOKEN=${s}`],
  plain("Databricks token", `dapi${hex(32)}`),
  plain("Databricks token with a number", `dapi${hex(32)}-2`),
  ["base64 of a GitHub token", base64(`ghp_${b62(36)}`), (s) => `echo ${s} | base64 -d`],
  ["base64 of an assignment", base64(`DB_PASSWORD=${password()}\n`), (s) => `  password.env: ${s}`],
  ["base64 of an AWS key", base64(`AKIA${upper(16)}:x`), (s) => `data: "${s}"`],
  ["base64 of a login", base64(`admin:${password()}`), (s) => `Authorization: Basic ${s}`],
  ["registry login", base64(`ana:${password()}x`), (s) => `{"auths":{"ghcr.io":{"auth":"${s}"}}}`],
  ["password in a URL", password().replace("!", "."), (s) => `postgres://app:${s}@db.example:5432/shop`],
  ["password in a Redis URL", b62(30), (s) => `redis://default:${s}@cache.example:6379`],
  ["password in an AMQP URL", b62(18), (s) => `amqps://rabbit:${s}@mq.example/vhost`],
  ["token in a git URL", b62(36), (s) => `git clone https://x-access-token:${s}@github.com/acme/shop.git`],
  ["token alone in a URL", hex(32), (s) => `https://${s}@o447951.ingest.sentry.io/5429213`],
  ["token in a query", b62(32), (s) => `https://api.example/v1?limit=5&access_token=${s}`],
  ["key in a query", b62(24), (s) => `https://maps.example/api/geocode/json?address=x&key=${s}`],
  ["password in a query", password().replace("!", "."), (s) => `https://api.example/login?user=ana&password=${s}`],
  ["signed S3 URL", hex(64), (s) => `https://b.s3.amazonaws.com/x?X-Amz-Date=20261119T000000Z&X-Amz-Signature=${s}`],
  ["signed Azure URL", `${url(43)}%3D`, (s) => `https://x.blob.core.windows.net/c?sv=2024-11-04&se=2026-11-19&sig=${s}`],
  ["signed Google URL", hex(128), (s) => `https://storage.googleapis.com/b/o?X-Goog-Date=x&X-Goog-Signature=${s}`],
  ["client secret in a query", b62(32), (s) => `grant_type=client_credentials&client_secret=${s}`],
  plain("AWS access key", `AKIA${upper(16)}`),
  ["AWS secret key", `${of(`${BASE62}/+`, 38)}a7`, (s) => `aws_secret_access_key = ${s}`],
  ["AWS secret in an environment", `${of(`${BASE62}/+`, 38)}a7`, (s) => `export AWS_SECRET_ACCESS_KEY=${s}`],
  ["AWS session token", of(`${BASE62}/+`, 200), (s) => `AWS_SESSION_TOKEN="${s}"`],
  plain("GitHub token", `ghp_${b62(36)}`),
  plain("fine-grained GitHub token", `github_pat_${b62(22)}_${b62(59)}`),
  plain("GitHub OAuth token", `gho_${b62(36)}`),
  plain("GitLab token", `glpat-${url(20)}`),
  plain("GitLab runner token", `glrt-${url(20)}`),
  plain("GitLab deploy token", `gldt-${url(20)}`),
  plain("Bitbucket app password", `ATBB${b62(32)}`),
  plain("Atlassian token", `ATATT3xFfGF0${url(170)}=1A2B3C4D`),
  plain("OpenAI key", `sk-proj-${url(48)}`),
  plain("Anthropic key", `sk-ant-api03-${url(93)}AA`),
  plain("OpenRouter key", `sk-or-v1-${hex(64)}`),
  plain("Groq key", `gsk_${b62(52)}`),
  plain("Perplexity key", `pplx-${b62(48)}`),
  plain("Replicate token", `r8_${b62(37)}`),
  plain("Hugging Face token", `hf_${b62(34)}`),
  plain("xAI key", `xai-${b62(80)}`),
  plain("Pinecone key", `pcsk_${b62(60)}`),
  plain("LangSmith key", `lsv2_pt_${hex(32)}_${hex(10)}`),
  plain("Tavily key", `tvly-${b62(32)}`),
  plain("NVIDIA key", `nvapi-${url(64)}`),
  ["Mistral key", b62(32), (s) => `MISTRAL_API_KEY=${s}`],
  ["Cohere key", b62(40), (s) => `cohere_api_key: "${s}"`],
  plain("Google API key", `AIza${url(35)}`),
  plain("Google access token", `ya29.a0${url(120)}`),
  plain("Google refresh token", `1//0${url(90)}`),
  plain("Google client secret", `GOCSPX-${url(28)}`),
  ["Azure client secret", `${b62(3)}8Q~${url(34)}`, (s) => `az login --service-principal -u x -p ${s} -t y`],
  ["Azure storage key", `${of(`${BASE62}/+`, 86)}==`, (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s};`],
  ["Azure service bus", `${of(`${BASE62}/+`, 43)}=`, (s) => `Endpoint=sb://x.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`],
  plain("DigitalOcean token", `dop_v1_${hex(64)}`),
  ["Cloudflare token", url(40), (s) => `CLOUDFLARE_API_TOKEN=${s}`],
  ["Cloudflare header", hex(37), (s) => `-H "X-Auth-Key: ${s}"`],
  plain("Fly token", `fo1_${url(43)}`),
  plain("Netlify token", `nfp_${b62(40)}`),
  ["Heroku key", uuid(), (s) => `HEROKU_API_KEY=${s}`],
  plain("Supabase key", `sbp_${hex(40)}`),
  plain("PlanetScale password", `pscale_pw_${url(43)}`),
  plain("Neon key", `napi_${b62(64)}`),
  ["MongoDB URL", b62(20), (s) => `mongodb+srv://app:${s}@cluster0.abcde.mongodb.net/shop`],
  plain("Stripe key", `sk_live_${b62(24)}`),
  plain("Stripe restricted key", `rk_live_${b62(99)}`),
  plain("Stripe webhook secret", `whsec_${b62(32)}`),
  plain("Square token", `sq0atp-${url(22)}`),
  plain("Razorpay key", `rzp_live_${b62(14)}`),
  plain("Braintree token", `access_token$production$${of(LOWER + DIGITS, 16)}$${hex(32)}`),
  ["PayPal secret", `E${url(79)}`, (s) => `PAYPAL_CLIENT_SECRET=${s}`],
  plain("Shopify token", `shpat_${hex(32)}`),
  plain("Slack bot token", `xoxb-${of(DIGITS, 12)}-${of(DIGITS, 12)}-${b62(24)}`),
  plain("Slack app token", `xapp-1-A${upper(10)}-${of(DIGITS, 13)}-${hex(64)}`),
  plain("Telegram token", `${of(DIGITS, 9)}1:AA${url(33)}`),
  plain("SendGrid key", `SG.${url(22)}.${url(43)}`),
  plain("Mailgun key", `key-${hex(32)}`),
  plain("Mailchimp key", `${hex(32)}-us12`),
  plain("Brevo key", `xkeysib-${hex(64)}-${b62(16)}`),
  ["Postmark token", uuid(), (s) => `X-Postmark-Server-Token: ${s}`],
  plain("npm token", `npm_${b62(36)}`),
  ["npmrc", b62(36), (s) => `//registry.npmjs.org/:_authToken=${s}`],
  plain("PyPI token", `pypi-AgEIcHlwaS5vcmc${url(150)}`),
  plain("RubyGems key", `rubygems_${hex(48)}`),
  plain("crates.io token", `cio${b62(32)}`),
  plain("NuGet key", `oy2${of(LOWER + DIGITS, 43)}`),
  plain("Docker token", `dckr_pat_${url(27)}`),
  ["docker login", password(), (s) => `docker login -u ana -p ${s} ghcr.io`],
  plain("Vault token", `hvs.${url(95)}`),
  plain("Terraform token", `${b62(14)}.atlasv1.${url(67)}`),
  plain("Pulumi token", `pul-${hex(40)}`),
  plain("Doppler token", `dp.pt.${b62(43)}`),
  plain("Grafana token", `glsa_${b62(32)}_${hex(8)}`),
  plain("New Relic key", `NRAK-${upper(27)}`),
  plain("Sentry token", `sntrys_eyJ${url(100)}`),
  ["Datadog key", hex(32), (s) => `DD_API_KEY=${s}`],
  plain("Dynatrace token", `dt0c01.${upper(24)}.${upper(64)}`),
  plain("SonarQube token", `sqp_${hex(40)}`),
  plain("Linear key", `lin_api_${b62(40)}`),
  plain("Notion token", `ntn_${b62(46)}`),
  plain("Airtable token", `pat${b62(14)}.${hex(64)}`),
  plain("Figma token", `figd_${url(40)}`),
  plain("Postman key", `PMAK-${hex(24)}-${hex(34)}`),
  plain("HubSpot token", `pat-na1-${uuid()}`),
  ["Okta token", `00${url(40)}`, (s) => `Authorization: SSWS ${s}`],
  plain("Tailscale key", `tskey-auth-k${b62(16)}-${b62(32)}`),
  plain("age key", `AGE-SECRET-KEY-1${upper(58)}`),
  ["SSH key", of(`${BASE62}+/`, 64), (s) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${s}\n-----END OPENSSH PRIVATE KEY-----`],
  ["PGP key", of(`${BASE62}+/`, 64), (s) => `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${s}\n-----END PGP PRIVATE KEY BLOCK-----`],
  ["WireGuard key", `${of(`${BASE62}+/`, 43)}=`, (s) => `[Interface]\nPrivateKey = ${s}\nAddress = 10.0.0.2/32`],
  plain("signed token", `eyJ${url(36)}.eyJ${url(120)}.${url(43)}`),
  ["header with a key", b62(32), (s) => `X-Api-Key: ${s}`],
  ["header with a token", b62(32), (s) => `curl -H "X-Auth-Token: ${s}" https://x`],
  ["JSON with a token", b62(40), (s) => `{"id":7,"token":"${s}"}`],
  ["JSON with a password", password(), (s) => `{"user":"ana","password":"${s}"}`],
  ["YAML with a password", password(), (s) => `database:\n  password: ${s}\n`],
  ["environment with a secret", b62(44), (s) => `SESSION_SECRET='${s}'`],
  ["Rails key", hex(32), (s) => `RAILS_MASTER_KEY=${s}`],
  ["Django key", `django-insecure-${b62(50)}`, (s) => `SECRET_KEY = '${s}'`],
  ["JDBC password", password().replace("!", "."), (s) => `jdbc:postgresql://db/shop?user=app&password=${s}`],
  ["ADO connection", password(), (s) => `Server=db;Database=shop;User Id=sa;Password=${s};Encrypt=True`],
  ["ODBC connection", password(), (s) => `DRIVER={X};SERVER=db;UID=sa;PWD=${s};`],
  ["redis-cli -a", password(), (s) => `redis-cli -h cache -a ${s} ping`],
  ["openssl pass:", password(), (s) => `openssl pkcs12 -in x.p12 -passin pass:${s}`],
  ["ansible", password(), (s) => `ansible_password: ${s}`],
  ["wget", password(), (s) => `wget --http-user=ana --http-password=${s} https://x`],
  ["zip -P", password(), (s) => `zip -P ${s} out.zip a b`],
  ["htpasswd -b", password(), (s) => `htpasswd -nbB admin ${s}`],
];

/** Whether six characters in a row of the secret are left, apart from a prefix that all of its kind have. */
function leaks(text: string, secret: string): boolean {
  const body = secret.length > 24 ? secret.slice(12) : secret;
  for (let index = 0; index + 6 <= body.length; index++) if (text.includes(body.slice(index, index + 6))) return true;
  return false;
}

describe("realistic secrets", () => {
  it(`are masked: at least 95 % of ${PLANTED.length}, alone, in JSON and in a terminal's output`, () => {
    const missed = PLANTED.flatMap(([kind, secret, write]) => {
      const text = write(secret);
      const written = JSON.stringify({ output: text });
      const kept = [redactText(text).text, JSON.parse(redactText(written).text).output as string, redactText(`$ ${text}\nok\n`).text];
      return kept.some((one) => leaks(one, secret)) ? [`${kind}: ${kept[0]}`] : [];
    });
    expect(missed.length / PLANTED.length, missed.join("\n")).toBeLessThanOrEqual(0.05);
  });
});

describe("what is no secret", () => {
  const root = join(import.meta.dirname, "../../../..");
  const files = ["packages", "docs", "examples", "tools", "bench"]
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)))
    // Tests hold planted secrets, and these files the shapes themselves.
    .filter(
      (path) =>
        /\.(?:ts|tsx|md|json|mjs|css)$/.test(path) &&
        !/node_modules|\bdist\b|\.(?:test|scenario|deep|browser)\.|testing|secrets|redact/.test(path),
    );

  it("is left alone: at most 1 % of this repository's files have a line that is changed", () => {
    const hits = files.flatMap((path) => {
      const lines = readFileSync(join(root, path), "utf8").split("\n");
      const hit = lines.find((line) => redactText(line).shapes.length > 0);
      return hit === undefined ? [] : [`${path}: ${redactText(hit).shapes.join()}: ${hit.trim().slice(0, 160)}`];
    });
    expect(files.length).toBeGreaterThan(1000);
    expect(hits.length / files.length, hits.join("\n")).toBeLessThanOrEqual(0.01);
  });
});
