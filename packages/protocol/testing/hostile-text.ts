import fc from "fast-check";

const NASTY = [
  "",
  "Hello, world.",
  "שלום \u202eevil\u202c",
  "\u001b[31mred\u001b[0m\r\u0007",
  "👩‍👩‍👧‍👦 and 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "e\u0301\u0301\u0301 zalgo",
  "line\nbreak\r\n\tand tab",
  "__proto__",
  'quote " and backslash \\ and </script>',
  "{jndi:ldap://x} '; DROP TABLE events; --",
  "\u0000nul\u2028\u2029",
  "مرحبا",
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 beyond the plane 𠜎",
  "x".repeat(500),
];

/** Text as written by real agents and real attackers; well-formed Unicode, because JSON text is. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
);
