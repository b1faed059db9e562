/** Names of files that hold secrets by habit. */
const SECRET_NAME =
  /^(?:\.env(?:\..*)?|\.envrc|.*\.env|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg|ppk|ovpn)|\.(?:netrc|npmrc|pypirc|pgpass|my\.cnf|htpasswd|git-credentials|dockercfg|vault-token|boto|s3cfg)|credentials(?:\..*)?|secrets?(?:\..*)?|service[-_]?account.*\.json|.*_credentials\.json|terraform\.tfstate(?:\..*)?|.*\.tfvars|token(?:s)?(?:\.(?:json|txt|ya?ml))?|known_hosts|authorized_keys)$/i;
const SECRET_FOLDER =
  /\/(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.config\/(?:gcloud|gh|op)|\.password-store|secrets?|private[-_]?keys?)(?:\/|$)/i;
const EXAMPLE = /\.(?:example|sample|template|dist|defaults?)$/i;

/** Whether a path looks as if it held secrets. A name that says it is an example does not. */
export function isSecretPath(path: string): boolean {
  if (SECRET_FOLDER.test(path)) return true;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return SECRET_NAME.test(name) && !EXAMPLE.test(name);
}

/** Names that a shell's pattern could stand for. */
export const SECRET_NAMES: readonly string[] = [
  ".env",
  ".env.local",
  ".env.production",
  ".envrc",
  "id_rsa",
  "id_ed25519",
  "id_ecdsa",
  "server.pem",
  "server.key",
  "cert.p12",
  "cert.pfx",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".git-credentials",
  "credentials",
  "credentials.json",
  "secrets",
  "secrets.yaml",
  "service-account.json",
  "terraform.tfstate",
  "prod.tfvars",
  "token.json",
];
