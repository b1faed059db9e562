export const PROTOCOL_NAMES = { aaep: "AAEP", aep: "AEP", aop: "AOP" } as const;
