import type { OfferedUser } from './name.ts';

/** The page that a browser chooses its user on. Without a session it also needs the key; `isWrong` says that one was refused. */
export const chooserPage = (users: readonly OfferedUser[], hasSession: boolean, isWrong: boolean): string =>
  page(`
    <h1>Sign in to Tributary</h1>
    <p>This is the development issuer of this machine. Choose whom to be; there are no passwords.</p>
    ${isWrong ? '<p role="alert">This is not the key.</p>' : ''}
    ${users.length === 0 ? '<p>Nobody is seeded: start with <code>--seed sample</code>.</p>' : ''}
    <form method="post">
      ${hasSession ? '' : keyField}
      ${users.map(({ user, label }) => `<button name="user" value="${safe(user)}">Sign in as ${safe(label)}</button>`).join('\n      ')}
    </form>`);

/** Other users of the machine reach this page too, and cannot read the file. */
const keyField = `<label>Key: the part behind <code>key=</code> of <code>sign_in_url</code> in the credentials file
      <input type="password" name="key" required autofocus autocomplete="off"></label>`;

export const refusalPage = (reason: string): string => page(`<h1>Sign-in refused</h1><p>${safe(reason)}</p>`);

const safe = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

const page = (main: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign in to Tributary</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 100vh; margin: 0;
    background: light-dark(#f5f6f8, #14171c); color: light-dark(#1c2330, #e6e9ee); }
  main { box-sizing: border-box; width: min(25rem, calc(100vw - 2rem)); padding: 1.5rem; border-radius: .75rem;
    background: light-dark(#fff, #1c2027); border: 1px solid light-dark(#dde1e8, #313742); }
  h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
  form { display: grid; gap: .5rem; }
  input { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem; }
  button { font: inherit; padding: .55rem .8rem; border-radius: .5rem; cursor: pointer; text-align: left;
    border: 1px solid light-dark(#c4cad6, #434b59); background: light-dark(#fff, #242932); color: inherit; }
  button:hover { border-color: light-dark(#2454c8, #82a6ff); }
</style>
<main>${main}
</main>
`;
