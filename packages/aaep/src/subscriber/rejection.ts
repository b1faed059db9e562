import type { SubscriptionRejected } from "@earshot/protocol";
import { EarshotError } from "@earshot/protocol/problem";

/** Retrying would be useless. */
const FINAL: ReadonlySet<string> = new Set([
  "version_unsupported",
  "manifest_signature_required",
  "capabilities_incompatible",
  "authentication_required",
  "authorization_denied",
]);

/** Whether a refusal is permanent; unknown codes are not. */
export function isFinal({ reason_code: code }: SubscriptionRejected): boolean {
  return FINAL.has(code);
}

export function rejectedError({ reason_code: code, reason_message: message }: SubscriptionRejected): EarshotError {
  const said = [...message].slice(0, 300).join("");
  return new EarshotError({ code: "PRODUCER_REFUSED", message: `The producer refused the subscription: ${code}. ${said}` });
}

/** A rejection derived from an HTTP status alone. */
export function rejectionOfStatus(status: number): SubscriptionRejected | undefined {
  const codes: Readonly<Record<number, SubscriptionRejected["reason_code"]>> = {
    401: "authentication_required",
    403: "authorization_denied",
    429: "rate_limit",
    503: "transport_unavailable",
  };
  const code = codes[status];
  return code === undefined ? undefined : { type: "subscription.rejected", reason_code: code, reason_message: `Status ${status}.` };
}
