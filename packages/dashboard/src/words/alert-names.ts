import type { AlertType } from "@earshot/hub";

export const ALERT_NAMES: Readonly<Record<AlertType, string>> = {
  loop: "Goes round in circles",
  error_cascade: "Failures in a row",
  confidence_drop: "Less and less sure",
  stall: "Silent for too long",
  cost_spike: "Suddenly expensive",
  conformance_violation: "Broke a rule of its protocol",
  request_waiting: "Waits for an answer",
};

/** Also for kinds that a newer hub knows and this page does not. */
export function alertName(type: string): string {
  return Object.hasOwn(ALERT_NAMES, type) ? ALERT_NAMES[type as AlertType] : type.replaceAll("_", " ");
}
