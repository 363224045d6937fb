/** The reasoning effort that spends about as much as this budget of tokens. */
export const effortOfBudget = (budgetTokens: number) =>
  budgetTokens <= 2048 ? 'low' : budgetTokens <= 8192 ? 'medium' : 'high'
