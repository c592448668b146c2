// Refuses a Node that is too old, in one sentence. Import it first: it must run before anything that an old Node lacks.
const minimum = 20;

if (Number.parseInt(process.versions.node, 10) < minimum) {
  console.error(`Tributary needs Node ${minimum} or later; this is Node ${process.versions.node}.`);
  process.exit(2);
}
