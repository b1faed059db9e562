import { nameSet, namesLike } from "./names.ts";

/** Names of files that usually contain secrets. */
const SECRET_NAME = namesLike("secret files", "i");
const SECRET_FOLDER =
  /\/(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.config\/(?:gcloud|gh|op)|\.password-store|secrets?|private[-_]?keys?)(?:\/|$)/i;
/** Paths that only the user, or the user's own programs, should read, regardless of the file name. */
const PRIVATE =
  /^\/etc\/(?:g?shadow|sudoers|master\.passwd|ssl\/private|ssh\/ssh_host_.*_key)|^\/proc\/[^/]+\/(?:environ|mem|maps)|^\/proc\/kcore|^\/dev\/k?mem$|\/\.(?:bash|zsh|python|psql|mysql|node_repl|sqlite|irb|lesshst|rediscli)_history$|\/\.local\/share\/(?:keyrings|kwalletd)\/|\/\.earshot(?:\/open\.html)?$|\/Library\/(?:Keychains|Cookies|Messages|Mail|Application Support\/(?:Google\/Chrome|Firefox|BraveSoftware|Microsoft Edge))\/|\/\.(?:mozilla\/firefox|config\/(?:google-chrome|chromium|BraveSoftware|microsoft-edge|Slack|discord|hub|glab-cli|doctl|heroku|netlify|rclone|configstore|Code\/User\/globalStorage))\/|\/\.(?:terraform\.d\/credentials\.tfrc\.json|cargo\/credentials(?:\.toml)?|gem\/credentials|m2\/settings(?:-security)?\.xml|gradle\/gradle\.properties|fly\/config\.yml|oci\/|databrickscfg|snowsql\/config|pgpass|msmtprc|fetchmailrc|mutt\/|thunderbird\/|electrum\/|bitcoin\/|ethereum\/keystore)|\/(?:logins\.json|key4\.db|Login Data|Cookies(?:\.sqlite|\.binarycookies)?|cookies\.sqlite|wallet\.dat)$/;
/** Agent folders that contain the agent's tokens. */
const AGENT_FOLDER = /\/\.(?:codex|claude|gemini|qwen|copilot|factory|kimi-code|augment)\//;
const TOKEN_NAME = /(?:auth|credential|oauth|token)[^/]{0,255}\.json$/;
const EXAMPLE = /\.(?:example|sample|template|dist|defaults?|pub)$/i;

/** Whether a path looks as if it contains secrets. Names that mark an example are excluded. */
export function isSecretPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (EXAMPLE.test(name)) return false;
  const isToken = TOKEN_NAME.test(name) && AGENT_FOLDER.test(path);
  return isToken || SECRET_FOLDER.test(path) || SECRET_NAME.test(name) || PRIVATE.test(path);
}

/** Whether a path that looks secret may be shown without revealing a secret. */
export function isPublicPart(path: string): boolean {
  return (
    /\/(?:\.ssh\/(?:known_hosts|config|authorized_keys)|\.aws\/config|\.docker|\.kube|secrets?)$/.test(path) ||
    /\.(?:crt|cer|csr|pub|asc)$/i.test(path)
  );
}

/** Names that a shell pattern could match. */
export const EXAMPLE_SECRET_FILES = [...nameSet("examples of secret files")];

/** Whether a path looks as if it contains secrets and is not meant to be shown. */
export function hidesSecret(path: string): boolean {
  return isSecretPath(path) && !isPublicPart(path);
}
