import { fuzz } from '../test/support/fuzz/fuzz.ts';
import { readers } from '../test/support/fuzz/readers.ts';

/** Mutated bodies over every parser, in this process: `node bench/fuzz.ts [BODIES] [SEED]`. */
const [bodies = 200_000, seed = 1] = process.argv.slice(2).map(Number);

for (const reader of readers) {
  const before = process.cpuUsage();
  const { read, refused, thrown } = await fuzz([reader], Math.ceil(bodies / readers.length), seed);
  const { user, system } = process.cpuUsage(before);
  const seconds = ((user + system) / 1e6).toFixed(0);
  console.log(`${reader.name}: ${read} read, ${refused} refused, ${thrown.length} thrown, ${seconds} s`);
  for (const { error, text } of thrown.slice(0, 3)) console.log(error, JSON.stringify(text.slice(0, 2_000)));
  if (thrown.length > 0) process.exitCode = 1;
}
console.log(`${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`);
