/** A finding of the doctor, with its remedy. */
export interface DoctorFinding {
  /** `trouble`: something is not recorded or held as it should be; `note`: worth knowing; `fine`. */
  readonly level: "trouble" | "note" | "fine";
  /** A stable identifier for scripts. */
  readonly kind: string;
  /** The agent's name, if it concerns one. */
  readonly agent?: string;
  readonly message: string;
  readonly advice?: string;
}

export function troubleFinding(kind: string, message: string, advice: string, agent?: string): DoctorFinding {
  return { level: "trouble", kind, message, advice, ...(agent === undefined ? {} : { agent }) };
}

export function noteFinding(kind: string, message: string, agent?: string, advice?: string): DoctorFinding {
  return { level: "note", kind, message, ...(agent === undefined ? {} : { agent }), ...(advice === undefined ? {} : { advice }) };
}

export function fineFinding(kind: string, message: string, agent?: string): DoctorFinding {
  return { level: "fine", kind, message, ...(agent === undefined ? {} : { agent }) };
}
