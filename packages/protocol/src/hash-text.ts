/** 32-bit hash of a string. Hand-written because it runs for every event. */
export function hashText(text: string, seed: number): number {
  let hash = seed ^ text.length;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return hash ^ (hash >>> 15);
}

/** 53-bit hash of a string as one number, usable as a Map key. Among a million keys, the chance of a collision is 1 in 20,000. */
export function hashKey(text: string, seed = 0): number {
  return (hashText(text, 0x3c6ef372 ^ seed) >>> 0) * 0x20_0000 + (hashText(text, 0x5bd1e995 ^ seed) >>> 11);
}
