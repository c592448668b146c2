import { enableCompileCache } from 'node:module';

enableCompileCache();

const { runCommand } = await import('./run.ts');
const { startupMessage } = await import('./startup-message.ts');

// What is given replaces these: of an option that stands twice, the last holds.
const defaults = ['--seed', 'sample'];

await runCommand([...defaults, ...process.argv.slice(2)], async (...started) =>
  console.log(await startupMessage(...started)),
);
