import { SampleLedger } from "./sample-ledger.ts";

/** A process that writes, seals and cuts until it is killed. */
const [folder = ""] = process.argv.slice(2);
const ledger = await SampleLedger.open(folder);
await ledger.reopen();
process.stdout.write("writing\n");
for (let turn = 0; ; turn++) {
  for (let entry = 0; entry < 40; entry++) ledger.append((turn + entry) % 7, "{}");
  await ledger.seal();
  await ledger.cut(turn % 7, turn % 3 === 0 ? {} : { upTo: turn * 20 });
}
