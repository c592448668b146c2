import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Origin } from '../../../shared/domain/workspaces/access/inputs.ts';

const registered = (text: string) => v.safeParse(Origin, text);

describe('an origin (C-COLLECT-16)', () => {
  it.each([
    'https://app.acme.test',
    'http://localhost:8788',
    'http://[::1]:3000',
    'capacitor://localhost',
    'tauri://localhost',
    'ionic://localhost',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  ])('is registered as browsers send it: %s', (text) => {
    expect(registered(text).output).toBe(text);
  });

  it.each([
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
    ['https://例え.テスト:8443', 'https://xn--r8jz45g.xn--zckzah:8443'],
  ])('of an international name is registered in the form that browsers send: %s', (text, sent) => {
    expect(registered(text).output).toBe(sent);
  });

  it.each([
    ['https://*.acme.test', /must name one host: an origin is exact/],
    ['*', /must name one host/],
    ['https://app.acme.test/', /must be scheme:\/\/host/],
    ['https://app.acme.test:443', /without path or default port/],
    ['https://App.acme.test', /in lower case/],
    ['https://münchen.example/shop', /without path/],
    ['https://user@app.acme.test', /must be scheme/],
    ['capacitor://localhost/index.html', /without path/],
    ['app.acme.test', /must be scheme/],
    ['file:///index.html', /must be scheme/],
    ['null', /must be scheme/],
  ])('is refused with the reason: %s', (text, reason) => {
    expect(
      registered(text)
        .issues?.map(({ message }) => message)
        .join(),
    ).toMatch(reason);
  });
});
