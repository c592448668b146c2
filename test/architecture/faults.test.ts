import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Fault } from '../../shared/contract/problems.ts';
import { describeError, redactedError } from '../../shared/runtime/problem-reply.ts';

const folders = ['shared', 'functions', 'lib', 'local', 'cli'];
const sources = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !file.includes('generated'))
    .map((file) => ({ file: path.join(folder, file), text: readFileSync(path.join(folder, file), 'utf8') })),
);
const faults = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/new Fault\(\s*'([^']*)',\s*(['`])/g)].map(([, code]) => ({ file, code: code ?? '' })),
);

it('gives each fault its own code', () => {
  const codes = faults.map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(40);
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([]);
  expect(codes.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
});

it('throws no error without a code', () => {
  const nameless = sources.filter(({ text }) => /throw new Error\(/.test(text)).map(({ file }) => file);
  expect(nameless).toEqual([]);
});

it('logs each fault of the service under its own code', () => {
  const ofService = faults.filter(({ file }) => file.startsWith('shared'));
  expect(ofService.length).toBeGreaterThanOrEqual(19);
  const logged = ofService.map(({ code }) => JSON.stringify({ ...describeError(new Fault(code, 'said')), stack: '' }));
  expect(new Set(logged).size).toBe(ofService.length);
});

it("logs the message of a fault, and only the place of a library's error", () => {
  const fault = new Fault('payload_missing', 'a stored payload is not there');
  expect(describeError(fault)).toMatchObject({ name: 'Fault', code: 'payload_missing', message: fault.message });
  expect(redactedError(fault).message).toBe('payload_missing: a stored payload is not there');
  const library = new TypeError('cannot read "a secret"');
  expect(JSON.stringify(describeError(library))).not.toContain('secret');
  const { message, stack } = redactedError(library);
  expect(`${message} ${stack}`).not.toContain('secret');
  expect(stack).toContain('faults.test.ts');
});
