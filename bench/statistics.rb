# frozen_string_literal: true

module Bench
  # What a list of samples says.
  module Statistics
    module_function

    def of(samples)
      sorted = samples.sort
      mean = samples.sum.fdiv(samples.size)
      low, high = quantile(sorted, 0.25), quantile(sorted, 0.75)
      fence = 1.5 * (high - low)
      {
        "min" => sorted.first, "mean" => mean, "stddev" => Math.sqrt(samples.sum { |x| (x - mean)**2 } / [samples.size - 1, 1].max),
        "median" => quantile(sorted, 0.5), "q1" => low, "q3" => high,
        "outliers" => samples.count { |x| x < low - fence || x > high + fence }, "samples" => samples.size
      }
    end

    def median(samples) = quantile(samples.sort, 0.5)

    def quantile(sorted, fraction)
      position = fraction * (sorted.size - 1)
      below = sorted[position.floor]
      below + (sorted[position.ceil] - below) * (position - position.floor)
    end

    def geometric_mean(values) = Math.exp(values.sum { |value| Math.log(value) } / values.size)
  end
end
