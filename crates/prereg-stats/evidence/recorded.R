# Bootstrap intervals of the mean by R's package boot, recorded for `tests/evidence_recorded.rs`.
#
# Reads the data sets of `scipy.json` and writes `r_boot.json`, both beside this file: the 95 %
# percentile, basic, BCa and studentised intervals. Needs the packages boot and jsonlite.
#
#     Rscript recorded.R FOLDER_OF_THIS_FILE

library(boot)
library(jsonlite)

seed <- 20261201
resamples <- 100000
level <- 0.95

# The variance of a mean; boot.ci divides by its root.
mean_and_variance <- function(values, drawn) {
  values <- values[drawn]
  c(mean(values), var(values) / length(values))
}

intervals <- function(values) {
  found <- boot(values, mean_and_variance, resamples)
  # Resamples of one value repeated have no spread. Their studentised value is infinite, on the side
  # of their mean; boot.ci drops what is not finite, so it is given numbers beyond all others.
  equal <- found$t[, 2] == 0
  found$t[equal, 2] <- 1e-20
  jackknife <- empinf(data = values, statistic = function(v, i) mean(v[i]), type = "jack", stype = "i")
  ci <- boot.ci(found, conf = level, type = c("perc", "basic", "bca", "stud"), L = jackknife)
  list(
    percentile = ci$percent[4:5],
    basic = ci$basic[4:5],
    bca = ci$bca[4:5],
    studentised = ci$student[4:5]
  )
}

folder <- commandArgs(trailingOnly = TRUE)[1]
data <- fromJSON(file.path(folder, "scipy.json"), simplifyVector = TRUE, simplifyDataFrame = FALSE)
set.seed(seed)
samples <- lapply(data$samples, function(sample) {
  list(name = sample$name, mean = intervals(sample$values))
})
recorded <- list(
  versions = list(R = as.character(getRversion()), boot = as.character(packageVersion("boot"))),
  seed = seed,
  resamples = resamples,
  level = level,
  samples = samples
)
write_json(recorded, file.path(folder, "r_boot.json"), auto_unbox = TRUE, digits = NA, pretty = 1)
