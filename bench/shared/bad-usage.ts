/** Something that the person who called a command has to mend. */

/** Its message is the one line on stderr; the command ends with 2. */
export class BadUsage extends Error {}
