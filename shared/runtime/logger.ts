import { Logger } from '@aws-lambda-powertools/logger';

/** One structured line an outcome, with ids; never a body, a token or a key. */
export const logger = new Logger();
