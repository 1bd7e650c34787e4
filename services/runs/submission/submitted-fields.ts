/** The fields of a submission that only a repetition needs. */
export interface SubmittedFields {
  partial: boolean;
  baselineBranch?: string;
}
