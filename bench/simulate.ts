import { table } from './simulate/report.ts';

// What becomes of a deployment at 10, 100 and 1,000 times the load, as the table of docs/scale.md.
console.log(table());
