import { isTimestamp } from '../../../base/time/timestamp.ts';

const uuidPattern = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

const escaped = '%[\\da-f]{2}';
const unreserved = "-\\w.~!$&'()*+,;=";
const segment = `(?:[${unreserved}:@]|${escaped})`;
const authority = `(?:(?:[${unreserved}:]|${escaped})*@)?(?:\\[[\\da-fv.:]+\\]|(?:[${unreserved}]|${escaped})*)(?::\\d*)?`;
const uriPattern = new RegExp(
  `^[a-z][a-z\\d+.-]*:(?://${authority}(?:/${segment}*)*|/?(?:${segment}+(?:/${segment}*)*)?)(?:\\?(?:${segment}|[/?])*)?(?:#(?:${segment}|[/?])*)?$`,
  'i',
);

/** The formats that the OpenLineage schemas assert, as their RFCs define them (3339, 4122, 3986) and no laxer. */
export const formats = {
  'date-time': isTimestamp,
  uuid: (text: string) => uuidPattern.test(text),
  uri: (text: string) => uriPattern.test(text),
};
