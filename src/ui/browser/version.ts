/** The version that this page was built as; one number, from the package. */
export { version } from '../../../package.json'
