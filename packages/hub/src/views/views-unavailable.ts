import { EarshotError } from "@earshot/protocol";

export function viewsUnavailable(message: string, cause?: unknown): EarshotError {
  return new EarshotError({ code: "VIEWS_UNAVAILABLE", message }, { cause });
}
