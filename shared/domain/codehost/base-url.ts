import { Problem } from '../../contract/problems.ts';
import { withoutTrailing } from '../../contract/without-trailing.ts';

/** Whether a request may go to a URL by what the URL itself says. */
export type MayAsk = (url: URL) => boolean;

const rule = 'must be an https URL of a public host, without credentials, query and fragment';

/**
 * The base URL of a code host, without a final slash. Throws `validation_error` at `path` where it may not be asked: what
 * its name resolves to is looked at when it is connected to.
 */
export function baseUrlOf(text: string, path: string, mayAsk: MayAsk): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    !mayAsk(url) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== '' ||
    url.password !== ''
  )
    throw new Problem('validation_error', { errors: [{ path, message: rule }] });
  return url.origin + withoutTrailing('/', url.pathname);
}
