/** The reporter uploads the images whose attachments have names that begin so. */
export const ATTACHMENT_FOLDER = "vrs/";
