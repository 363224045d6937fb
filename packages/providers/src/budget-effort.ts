/** A budget of tokens for thinking, as the effort that would spend about as much. */
export const effortOfBudget = (budgetTokens: number) =>
  budgetTokens <= 2048 ? 'low' : budgetTokens <= 8192 ? 'medium' : 'high'
