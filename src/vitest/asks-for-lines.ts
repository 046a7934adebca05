/** What the reporter of a run's page provides to tests: they find out which lines race. */
export const asksForLines = 'dporRacingLines'
