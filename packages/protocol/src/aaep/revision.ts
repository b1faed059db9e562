/** The implemented version and the changes in how it is read. A change of the emitted schemas needs an entry here. */
export const AAEP_REVISION = {
  version: "1.0.0",
  changes: [
    {
      date: "2026-11-15",
      change: "First reading: envelope, twelve core types, seven messages, manifest, sequencing rules of chapters 4 to 6 and appendix A.",
      peers: "Everything that validates against the schemas published with 1.0.0.",
    },
  ],
} as const;
