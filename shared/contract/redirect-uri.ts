/** Shows the code to a person, who types it on a machine without a browser. */
export const displayedCode = 'urn:ietf:wg:oauth:2.0:oob';

/** RFC 8252, 7.3: an address of the loopback interface, at any port. */
const loopbackRedirect = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(:\d{1,5})?([/?][^#]*)?$/i;

export const isLoopbackRedirect = (uri: string): boolean => loopbackRedirect.test(uri) && URL.canParse(uri);
