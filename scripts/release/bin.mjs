#!/usr/bin/env node
// The entry of each package with a command. Plain JavaScript that an old Node can run too: there a bundle would end with a line of minified code.
import { createRequire } from 'node:module';

const { bin, engines } = createRequire(import.meta.url)('./package.json');
const [major, minor] = engines.node.slice('>='.length).split('.').map(Number);
const [hasMajor, hasMinor] = process.versions.node.split('.').map(Number);
if (hasMajor < major || (hasMajor === major && hasMinor < minor)) {
  const [name] = Object.keys(bin);
  console.error(`${name} needs Node ${major}.${minor} or later; this is Node ${process.versions.node}.`);
  process.exit(2);
}
void import('./dist/main.js');
