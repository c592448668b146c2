import { storesTemplate } from '../../local/scratch-template.ts';
import { templateVariable } from './stores.ts';

/** Runs once before the test files: each process that it starts finds the template in its environment. */
export function setup(): void {
  process.env[templateVariable] = JSON.stringify(storesTemplate());
}
