const WHOLE = new Intl.NumberFormat();

export function money(usd: number): string {
  return new Intl.NumberFormat(undefined, { style: "currency", currency: "USD", maximumFractionDigits: usd < 1 ? 4 : 2 }).format(usd);
}

export function whole(count: number): string {
  return WHOLE.format(count);
}

/** "1 call", "3 calls". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
